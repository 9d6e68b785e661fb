from .array_facts cimport falls, is_compact
