"""Random numbers: generators, distributions, dropout."""
