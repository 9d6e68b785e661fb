from ...array_facts cimport is_wide
from ...errstate cimport hush, speak
