"""Random calls as data, performed on PyTorch and on ours, and their answers compared."""
