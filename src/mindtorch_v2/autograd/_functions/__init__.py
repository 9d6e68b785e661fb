"""torch.autograd._functions: Functions that torch once wrote in Python."""

from .resize import Resize

__all__ = ["Resize"]
