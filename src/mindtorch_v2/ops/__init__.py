"""One op = one class; files by subject."""

from . import arithmetic, copy, create, matmul, reduce, view
from .paving import pave

pave()
