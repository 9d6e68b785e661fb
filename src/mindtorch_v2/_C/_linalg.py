"""torch._C._linalg: the functions of linear algebra under their ops' names, by which graphs and pickles know them."""

from ..api.install import FUNCTIONS

globals().update({op: FUNCTIONS[op] for op in FUNCTIONS if op.startswith("linalg_")})
