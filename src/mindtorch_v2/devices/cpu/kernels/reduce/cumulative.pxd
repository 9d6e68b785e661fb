from ...array_facts cimport is_compact, is_half, is_wide, spans
from ...half_precision cimport widened
from .sums cimport has_loop
