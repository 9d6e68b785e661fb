"""Kernels of ops/special."""
