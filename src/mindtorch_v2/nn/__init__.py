"""torch.nn: parameters, layers, losses, and what they are made of."""

from . import functional, init, modules, parameter, utils
from .modules import *  # noqa: F403  its __all__ is the list of layers
from .parameter import Buffer, Parameter
