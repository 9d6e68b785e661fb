"""torch.utils.deterministic: whether new memory would be filled; it is not, whatever is set here."""

fill_uninitialized_memory = True
