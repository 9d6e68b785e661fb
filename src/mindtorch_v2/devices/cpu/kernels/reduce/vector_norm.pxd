from ...half_precision cimport widened
from .sums cimport has_loop
