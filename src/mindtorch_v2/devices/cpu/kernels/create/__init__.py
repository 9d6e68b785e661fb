"""Kernels of ops/create."""
