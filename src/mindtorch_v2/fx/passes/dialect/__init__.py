"""torch.fx.passes.dialect: passes for graphs of certain ops."""
