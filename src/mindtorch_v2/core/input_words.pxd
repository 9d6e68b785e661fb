from libc.stdint cimport uint64_t

cdef tuple read_inputs(const uint64_t *words, int n)
