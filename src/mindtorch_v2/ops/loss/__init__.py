"""Losses and their derivatives: of numbers, of classes, of sequences, with a margin."""
