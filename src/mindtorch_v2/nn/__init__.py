"""torch.nn: parameters, layers, losses, and what they are made of."""

from . import functional, init, modules, parameter, utils
from .modules import *  # noqa: F403  its __all__ is the list of layers
from .parameter import Buffer, Parameter


def __getattr__(name: str):
    """Parameters of lazy modules, whose classes are made when somebody needs them."""
    if name in ("UninitializedBuffer", "UninitializedParameter"):
        return getattr(parameter, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
