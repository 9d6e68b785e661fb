"""torch._C._fft: the functions of Fourier transforms under their ops' names, by which graphs and pickles know them."""

from ..api.install import FUNCTIONS

globals().update({op: FUNCTIONS[op] for op in FUNCTIONS if op.startswith("fft_")})
