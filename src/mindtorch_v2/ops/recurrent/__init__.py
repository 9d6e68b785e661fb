"""Recurrent layers and cells, and sequences of different lengths packed for them."""
