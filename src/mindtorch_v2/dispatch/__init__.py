"""① The one road every call takes: bind → record → autograd → run."""
