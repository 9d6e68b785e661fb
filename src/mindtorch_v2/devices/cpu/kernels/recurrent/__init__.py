"""Kernels of ops/recurrent."""
