"""torch.fx.experimental: questions about tracing with symbols, which nobody does here."""
