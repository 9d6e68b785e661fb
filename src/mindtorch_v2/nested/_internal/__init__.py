"""Inner modules of torch.nested."""
