"""Samples of ops/special."""
