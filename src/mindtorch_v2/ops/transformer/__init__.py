"""Attention, and ops that are whole layers of a transformer, for where nothing is trained."""
