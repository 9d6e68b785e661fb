from libc.stdint cimport int64_t

cdef extern from *:
    """
    #ifndef MT_MODES_H
    #define MT_MODES_H
    #include <stdint.h>
    typedef struct { int grad; int inference; int below; int64_t sequence;
                     int inside; int functions_off; int function_modes; int dispatch_off; int dispatch_modes;
                     int device; int autocast; } mt_modes_t;
    #endif
    """
    ctypedef struct Modes "mt_modes_t":
        bint grad
        bint inference
        bint below
        int64_t sequence
        bint inside
        int functions_off, function_modes
        bint dispatch_off
        int dispatch_modes
        int device
        bint autocast

cdef int overrides, devices, kinds, reasons, rare_types
cpdef void note_rare_type() noexcept
cpdef void count_device(int change) noexcept
cpdef void count_kind(int change) noexcept
cdef Modes *current() noexcept nogil
