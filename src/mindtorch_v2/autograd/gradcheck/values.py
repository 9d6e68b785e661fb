"""Values of tensors as arrays, for functions of any class of tensor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.dtype import COMPLEX, FLOATING
from ...core.slots import Work
from ...core.tensor import Tensor, foreign_tensor
from . import sparse

SEED = 4053586177  # the lower half of torch's own for a new generator, which is what it takes
FLOAT_BITS = 24


def as_tuple(value) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def outputs_of(func: Callable, inputs: tuple) -> tuple[Tensor, ...]:
    """The results of a function that have derivatives or differences at all."""
    return tuple(t for t in as_tuple(func(*inputs)) if isinstance(t, Tensor) and t.dtype.category >= FLOATING)


def wanted_of(inputs: tuple) -> list[Tensor]:
    """The inputs to differentiate by."""
    return [t for t in inputs if isinstance(t, Tensor) and t._mt_requires]


def is_complex(t: Tensor) -> bool:
    return t.dtype.category == COMPLEX


def array_of(t: Tensor) -> np.ndarray:
    """A tensor's values; where its class answers for its memory, they are asked for by an op."""
    if sparse.is_sparse(t):
        return sparse.dense_of(t)
    if type(t) is Tensor:
        return t.detach().resolve_conj().resolve_neg()._mt_array if t.is_conj() or t.is_neg() else t._mt_array
    plain = Work.zeros(tuple(t.shape), t.dtype)
    Work.copy_(plain, t.detach())
    return plain._mt_array


def write(t: Tensor, values: np.ndarray) -> None:
    """Put values into a tensor behind autograd's back; a sparse one takes those of the elements that it keeps."""
    if sparse.is_sparse(t):
        sparse.put(t, values)
    elif type(t) is Tensor and not t.is_conj() and not t.is_neg():
        t._mt_array[...] = values
    else:
        Work.copy_(t.data, tensor_of(values, t.dtype))  # .data: versions are not counted


def tensor_of(values: np.ndarray, dtype) -> Tensor:
    """A plain tensor of these values."""
    return foreign_tensor(np.ascontiguousarray(values, dtype.numpy).reshape(values.shape), dtype)


def like(t: Tensor, values: np.ndarray) -> Tensor:
    """A tensor of another's class, shape and type that has these values."""
    filled = Work.zeros_like(t).detach()
    write(filled, values.reshape(tuple(t.shape)))
    return filled


def is_close(analytic: Tensor, numeric: Tensor, rtol: float, atol: float) -> bool:
    wide = np.complex128 if is_complex(analytic) or is_complex(numeric) else np.float64
    return np.allclose(analytic._mt_array.astype(wide), numeric._mt_array.astype(wide), rtol=rtol, atol=atol)


class Directions:
    """Random vectors of length 1 without negative numbers, the same in every run and as torch draws them."""

    def __init__(self):
        self.source = np.random.RandomState(SEED)

    def draw(self, size: int, dtype: np.dtype) -> np.ndarray:
        bits = self.source.randint(0, 1 << 32, size, dtype=np.uint32) & ((1 << FLOAT_BITS) - 1)
        values = (bits.astype(np.float32) / (1 << FLOAT_BITS)).astype(dtype)
        return values / np.linalg.norm(values) if size else values
