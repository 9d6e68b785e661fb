"""Convolutions, their derivatives, and images as columns."""
