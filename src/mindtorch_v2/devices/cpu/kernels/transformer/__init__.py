"""Kernels of ops/transformer."""
