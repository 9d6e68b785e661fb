"""Samples of ops/fft."""
