"""Ops of neural networks: activations, attention, losses, normalisation."""
