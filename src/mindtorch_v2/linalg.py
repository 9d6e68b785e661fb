"""torch.linalg: the ops whose names begin with ``linalg_``."""

from .api.install import FUNCTIONS
from .core.errors import _LinAlgError as LinAlgError

_PREFIX = "linalg_"

globals().update({name.removeprefix(_PREFIX): FUNCTIONS[name] for name in FUNCTIONS
                  if name.startswith(_PREFIX)})
__all__ = ["LinAlgError", *[name.removeprefix(_PREFIX) for name in FUNCTIONS if name.startswith(_PREFIX)]]
