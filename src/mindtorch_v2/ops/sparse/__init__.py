"""Sparse tensors: how they are made and turned into others, and what ops do with them."""
