"""torch.fx.passes.infra: passes as objects, and many of them in a row."""

from . import pass_base, pass_manager
