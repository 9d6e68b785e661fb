"""Steps of optimizers, and one call for many tensors."""
