from ...array_facts cimport is_compact
