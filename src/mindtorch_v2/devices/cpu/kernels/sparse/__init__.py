"""Array work on what sparse tensors are made of."""
