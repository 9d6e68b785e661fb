"""torch.fx.passes.utils: patterns looked for in graphs, and parts taken out of them."""

from . import matcher_utils
