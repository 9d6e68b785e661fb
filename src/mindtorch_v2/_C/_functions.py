"""torch._C._functions: re-exports of nodes."""

from ..autograd.copy_slices import CopySlices
from ..autograd.engine import AccumulateGrad
from ..autograd.special_nodes import DelayedError, Error, UndefinedGrad

__all__ = ["AccumulateGrad", "CopySlices", "DelayedError", "Error", "UndefinedGrad"]
