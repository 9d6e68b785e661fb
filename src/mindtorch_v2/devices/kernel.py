"""Array work by name: ``run.layer_norm(out, ...)`` calls the kernel of that name on the device of its tensors."""

from __future__ import annotations

import numpy as np

from ..core import modes
from ..core.device import BACKENDS, PLACES
from ..core.tensor import Tensor, new_tensor
from . import kernel_call
from .cpu import copying, numpy_loops
from .cpu.array_facts import is_half, is_wide
from .cpu.errstate import hush, speak
from .cpu.kernels import KERNELS, LOOPS, UFUNCS
from .kernel_call import KernelCall


class Run(KernelCall):
    """A kernel that writes into tensors among its arguments, the first of which says on which device."""

    def __init__(self, name):
        super().__init__(KERNELS[name])
        self.name = name

    def __call__(self, *args):
        if modes.devices:
            number = device_of(args)
            if number:
                return BACKENDS[number].run(self.name, args)
        return self.on_arrays(arrays_of(args))


class Ask(Run):
    """A kernel that returns what depends on values: a number, or arrays whose shapes do."""

    def __call__(self, *args):
        if modes.devices:
            number = device_of(args)
            if number:
                return BACKENDS[number].ask(self.name, args)
        return self.on_arrays(arrays_of(args))


class Elementwise(Run):
    """A kernel of a table ELEMENTWISE: the tensor that is written comes first, and may be of another type."""

    def __init__(self, name):
        super().__init__(name)
        self.ufunc = UFUNCS.get(name)

    def __call__(self, out, *args):
        if modes.devices:
            number = device_of((out, *args))
            if number:
                return BACKENDS[number].run(self.name, args, out=out)
        into: Tensor = out
        arrays = arrays_of(args)
        loop = LOOPS.get(self.name)
        if loop is not None and _are_floats(into._mt_array, arrays):
            loop(into._mt_array, *arrays)
            return
        second = arrays[1] if len(arrays) == 2 else None
        if self.ufunc is not None and numpy_loops.run_numpy_loop(self.ufunc, into._mt_array, arrays[0], second):
            return
        before = hush()
        try:
            if arrays[0].dtype is into._mt_array.dtype:
                self.cpu(*arrays, out=into._mt_array)
            else:
                np.copyto(into._mt_array, self.cpu(*arrays), casting="unsafe")
        finally:
            speak(before)


def _are_floats(out: np.ndarray, arrays: list) -> bool:
    """Whether the operands, among numbers, are of the one floating type of the result."""
    return (is_wide(out) or is_half(out)) and \
        all([not isinstance(a, np.ndarray) or a.dtype is out.dtype for a in arrays])


for _cls in (Run, Ask):
    kernel_call.install(_cls)


class Kernels:
    """The kernels by name, each looked up once."""

    def __init__(self, kind: type[Run]):
        self._kind = kind

    def __getattr__(self, name: str) -> Run:
        try:
            kernel = self._kind(name)
        except KeyError:
            raise AttributeError(f"no kernel is called {name!r}; devices/cpu/kernels/ has one file a subject") from None
        setattr(self, name, kernel)
        return kernel


run = Kernels(Run)
ask = Kernels(Ask)
elementwise = Kernels(Elementwise)


def copy(into, source):
    """Copy one tensor's values into another, which may be on another device."""
    number = into._mt_storage.device or source._mt_storage.device
    if number:
        BACKENDS[number].copy(into, source)
    elif not copying.copy_plain(into._mt_array, source._mt_array):
        _COPY(into._mt_array, source._mt_array)


_COPY = KERNELS["copy"]


def result_of(array, dtype):
    """A new tensor of what a kernel returned, on the device of the op at work."""
    if modes.devices and modes.current().device:
        return BACKENDS[modes.current().device].tensor_of(array, dtype)
    return new_tensor(array, dtype)


def arrays_of(args):
    """Tensors as their arrays, also in lists; everything else as it is."""
    return [array_of(value) for value in args]


def array_of(value):
    """A tensor as its array, tensors in a list as theirs; everything else as it is."""
    if isinstance(value, Tensor):
        tensor: Tensor = value
        return tensor._mt_array if tensor._mt_kind is None else refuse(tensor)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
        return [array_of(v) for v in value]
    return value


def refuse(tensor):
    """A kernel sees memory; what a tensor of a kind means is not in its memory alone."""
    raise NotImplementedError(f"no kernel computes on a tensor that is {type(tensor._mt_kind).__name__}")


def device_of(args):
    """The number of the device that all tensors of a call are on; single numbers on the CPU may go anywhere."""
    number = -1
    for value in args:
        if isinstance(value, Tensor):
            number = same_device(number, value)
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
            for item in value:
                number = same_device(number, item)
    return max(number, 0)


def same_device(number, tensor):
    """The device of a call after one more tensor was looked at."""
    here = tensor._mt_storage.device
    if number < 0 or here == number:
        return here
    if here == 0 and tensor._mt_array.ndim == 0:
        return number
    if PLACES[number].type == "meta":
        return number  # nothing is computed there, whatever comes in
    raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, "
                       f"{PLACES[number]} and {PLACES[here]}!")
