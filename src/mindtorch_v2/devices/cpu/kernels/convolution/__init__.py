"""Convolutions whose results need more than one loop."""
