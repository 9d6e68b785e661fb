"""torch.signal: window functions."""

from . import windows
