"""Ops on each element by itself: arithmetic, powers, comparisons, choices."""
