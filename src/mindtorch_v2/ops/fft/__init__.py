"""Fourier transforms: torch.fft, window functions, short-time transforms."""
