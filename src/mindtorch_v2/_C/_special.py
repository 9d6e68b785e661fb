"""torch._C._special: special functions under their ops' names, by which graphs and pickles know them."""

from ..api.install import FUNCTIONS

globals().update({op: FUNCTIONS[op] for op in FUNCTIONS if op.startswith("special_")})
