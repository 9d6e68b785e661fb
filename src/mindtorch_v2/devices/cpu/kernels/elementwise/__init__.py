"""Kernels of ops/elementwise."""
