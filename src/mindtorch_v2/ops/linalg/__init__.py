"""Products of matrices, vectors and tensors."""
