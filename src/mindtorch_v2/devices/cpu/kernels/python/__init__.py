"""Kernels of ops/python."""
