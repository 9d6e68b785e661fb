"""Nested tensors: several tensors of different sizes as one."""
