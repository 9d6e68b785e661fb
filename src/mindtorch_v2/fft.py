"""torch.fft: the ops whose names begin with ``fft_``."""

from .api.install import FUNCTIONS

_PREFIX = "fft_"

globals().update({name.removeprefix(_PREFIX): FUNCTIONS[name] for name in FUNCTIONS
                  if name.startswith(_PREFIX)})
__all__ = [name.removeprefix(_PREFIX) for name in FUNCTIONS if name.startswith(_PREFIX)]
