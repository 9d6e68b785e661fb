"""Random numbers, drawn from the state of a generator."""
