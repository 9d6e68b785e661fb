"""torch.special: the ops whose names begin with ``special_``."""

from .api.install import FUNCTIONS

_PREFIX = "special_"

globals().update({name.removeprefix(_PREFIX): FUNCTIONS[name] for name in FUNCTIONS
                  if name.startswith(_PREFIX)})
__all__ = [name.removeprefix(_PREFIX) for name in FUNCTIONS if name.startswith(_PREFIX)]
