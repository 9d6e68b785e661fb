"""Samples of ops/compressed; what else these layouts do is in tests/mindtorch_v2/sparse."""
