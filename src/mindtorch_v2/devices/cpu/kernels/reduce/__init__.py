"""Kernels of ops/reduce."""
