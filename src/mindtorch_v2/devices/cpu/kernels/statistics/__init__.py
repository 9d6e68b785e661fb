"""Kernels of ops/statistics."""
