"""Ops over dimensions: sums, extremes, norms, running sums, order."""
