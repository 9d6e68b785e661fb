from libc.stdint cimport int64_t

cdef extern from *:
    """
    #ifndef MT_MODES_H
    #define MT_MODES_H
    #include <stdint.h>
    typedef struct { int grad; int inference; int below; int64_t sequence; } mt_modes_t;
    #endif
    """
    ctypedef struct Modes "mt_modes_t":
        bint grad
        bint inference
        bint below
        int64_t sequence

cdef Modes *current() noexcept nogil
