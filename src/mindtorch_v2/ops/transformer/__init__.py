"""Ops that are whole layers of a transformer, for where nothing is trained."""
