from ...array_facts cimport is_compact
from ...half_precision cimport widened
