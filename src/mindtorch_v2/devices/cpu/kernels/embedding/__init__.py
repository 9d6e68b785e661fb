"""Kernels of ops/embedding."""
