"""Kernels of ops/loss."""
