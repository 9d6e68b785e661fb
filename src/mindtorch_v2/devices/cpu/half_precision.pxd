from .array_facts cimport is_half

cpdef widened(array)
