"""Decompositions of matrices by LAPACK, which SciPy brings."""
