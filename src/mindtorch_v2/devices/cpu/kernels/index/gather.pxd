from ...array_facts cimport is_compact, is_half
from ...half_precision cimport widened
