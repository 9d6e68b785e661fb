"""Kernels of ops/view."""
