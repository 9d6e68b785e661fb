"""Kernels of ops/fft."""
