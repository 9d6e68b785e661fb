"""Functions of scipy.special as kernels. SciPy is imported when the first of them is called."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .half_precision import widened
from .layout import stored


def scipy_special(name: str) -> Callable:
    """A function of scipy.special by its name, looked up when it is first called."""
    function = None

    def call(*args):
        nonlocal function
        if function is None:
            import scipy.special
            function = getattr(scipy.special, name)
        return _on_threads(function, args)
    return call


def _on_threads(function: np.ufunc, args: tuple) -> np.ndarray:
    """What a function makes of arrays, by its own loop without the call where they are of one type."""
    from . import numpy_loops  # which is loaded after this file

    arrays = [np.asarray(value) for value in args]
    if isinstance(function, np.ufunc) and function.nout == 1 and len(arrays) <= 2:
        out = np.empty(np.broadcast_shapes(*[array.shape for array in arrays]), arrays[0].dtype)
        if out.ndim and numpy_loops.run_numpy_loop(function, out, *arrays):
            return out
    return function(*args)


def elementwise(function: Callable) -> Callable:
    """An elementwise kernel of a function on arrays of float32 or float64; half precision is computed in float32."""
    def kernel(*operands, out: np.ndarray | None = None) -> np.ndarray:
        return stored(function(*[widened(value) for value in operands]), out)
    return kernel


def from_scipy(name: str) -> tuple[Callable, None]:
    """The row of a table ELEMENTWISE for a function that SciPy has as torch has it."""
    return elementwise(scipy_special(name)), None
