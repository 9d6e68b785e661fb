from ...array_facts cimport are_between, is_half
from ...half_precision cimport widened
