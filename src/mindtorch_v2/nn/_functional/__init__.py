"""torch.nn.functional by subject; nn/functional.py gathers it."""
