"""Kernels of ops/nn."""
