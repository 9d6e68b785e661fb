"""Special functions: torch.special, and those of them that are functions of torch as well."""
