"""Sparse tensors in the compressed layouts: csr, csc, and the same in blocks."""
