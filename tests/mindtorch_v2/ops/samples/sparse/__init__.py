"""Samples of ops/sparse; what else sparse tensors do is in tests/mindtorch_v2/sparse."""
