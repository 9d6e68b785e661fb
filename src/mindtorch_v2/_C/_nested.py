"""torch._C._nested: the functions of nested tensors under their ops' names, by which graphs and pickles know them."""

from .. import _VF
from ..dispatch.function_homes import NAMES

globals().update({op: getattr(_VF, op) for op in NAMES["_nested"]})
