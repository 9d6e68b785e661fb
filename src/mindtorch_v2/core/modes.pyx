# cython: language_level=3
"""Per-thread switches in a C thread-local; modes.py is the same in plain Python."""

cdef extern from *:
    """
    #if defined(_MSC_VER)
    static __declspec(thread) mt_modes_t mt_modes = {1, 0, 0, 0};
    #else
    static __thread mt_modes_t mt_modes = {1, 0, 0, 0};
    #endif
    """
    Modes mt_modes

cdef Modes *current() noexcept nogil:
    return &mt_modes

def is_grad_enabled():
    return mt_modes.grad

def set_grad(bint on):
    """Switch grad mode for this thread and hand back what it was."""
    before = mt_modes.grad
    (&mt_modes).grad = on
    return before

def is_inference_mode_enabled():
    return mt_modes.inference

def set_inference(bint on):
    before = mt_modes.inference
    (&mt_modes).inference = on
    return before

def is_below_autograd():
    return mt_modes.below

def set_below(bint on):
    before = mt_modes.below
    (&mt_modes).below = on
    return before

def next_sequence():
    """This thread's next sequence number, counted up."""
    taken = mt_modes.sequence
    (&mt_modes).sequence = taken + 1
    return taken

def peek_sequence():
    return mt_modes.sequence
