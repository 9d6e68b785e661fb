from ...core.resize cimport give_memory
from ...core.tensor cimport is_in_order, shape_of
