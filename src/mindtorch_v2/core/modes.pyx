# cython: language_level=3
"""Per-thread switches in a C thread-local; modes.py is the same in plain Python."""

cdef extern from *:
    """
    #if defined(_MSC_VER)
    static __declspec(thread) mt_modes_t mt_modes = {1};
    #else
    static __thread mt_modes_t mt_modes = {1};
    #endif
    """
    Modes mt_modes

cdef Modes *current() noexcept nogil:
    return &mt_modes

cdef int overrides = 0
cdef int devices = 0
cdef int kinds = 0
cdef int reasons = 0
cdef int rare_types = 0

cpdef void note_rare_type() noexcept:
    """Say that there are tensors of types that few ops take."""
    global rare_types
    rare_types = 1

def watch(int change):
    """Count a reason, or one less, to ask Python code before a function or an op runs."""
    global overrides, reasons
    overrides += change
    reasons += change

cpdef void count_device(int change) noexcept:
    """Count a storage on a device other than the CPU, or a call at work there; or one less."""
    global devices, reasons
    devices += change
    reasons += change

cpdef void count_kind(int change) noexcept:
    """Count a tensor that is more than strided memory, or a level of forward-mode derivatives; or one less."""
    global kinds, reasons
    kinds += change
    reasons += change

def are_kinds_used():
    """Whether there are tensors of a kind, levels of vmap or of forward-mode derivatives."""
    return kinds != 0


def count_reasons():
    """How many reasons there are to look closer at every call; none in a plain program."""
    return reasons

def are_devices_used():
    return devices != 0

def current_device():
    """The number of the device that the op at work on this thread runs on."""
    return mt_modes.device

def set_device(int number):
    before = mt_modes.device
    (&mt_modes).device = number
    return before

def is_autocast():
    """Whether ops on this thread cast their operands on the CPU as autocast says."""
    return mt_modes.autocast

def set_autocast(bint on):
    """Switch autocast for this thread and hand back what it was."""
    global reasons
    before = mt_modes.autocast
    (&mt_modes).autocast = on
    reasons += on - before
    return before

def set_inside(bint on):
    """Say whether this thread is inside an op, and hand back what it was."""
    before = mt_modes.inside
    (&mt_modes).inside = on
    return before

def function_state():
    """Whose ``__torch_function__`` is asked: 0 everybody's, 1 only modes', 2 nobody's."""
    return mt_modes.functions_off

def set_function_state(int state):
    before = mt_modes.functions_off
    (&mt_modes).functions_off = state
    return before

def set_function_modes(int count):
    (&mt_modes).function_modes = count

def set_dispatch_modes(int count):
    (&mt_modes).dispatch_modes = count

def set_dispatch_off(bint off):
    before = mt_modes.dispatch_off
    (&mt_modes).dispatch_off = off
    return before

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
