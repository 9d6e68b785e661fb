"""Ranks, counts and running extremes: quantiles, histograms, covariances, integrals."""
