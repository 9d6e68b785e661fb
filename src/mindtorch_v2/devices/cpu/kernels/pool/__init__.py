"""Kernels of ops/pool."""
