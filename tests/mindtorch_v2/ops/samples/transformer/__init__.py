"""Samples for the ops of ops/transformer."""
