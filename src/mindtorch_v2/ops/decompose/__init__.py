"""Decompositions of matrices, and what is solved by them."""
