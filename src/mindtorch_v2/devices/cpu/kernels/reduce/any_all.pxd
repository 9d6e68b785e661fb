from .sums cimport reduced_by_loop
