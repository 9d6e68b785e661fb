"""A number that tells tensors apart: the exclusive or of their elements."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dims
from ...core.tensor import ndim_of, numel_of
from ...devices.kernel import run
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ..shared.not_differentiable import unknown_derivative
from .reduction import accumulator, reduced

XOR_SUM = 0  # the only mode there is


class HashTensor(Op):
    """The exclusive or of elements, floats as the bits of float64."""

    schema = "hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"
    variants = "method out"
    overlap = "shares_inputs"

    def meta(self, dim, keepdim, mode):
        if not dim and not numel_of(self):
            raise RuntimeError("hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify "
                               "the reduction dim with the 'dim' argument.")
        if mode != XOR_SUM:
            raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
        return reduced(self, dim, keepdim, dtypes.by_name("uint64"))

    def into(out, self, dim, keepdim, mode):
        if self.dtype.is_complex:
            raise not_implemented("xor_sum_cpu", self.dtype)
        run.xor_sum(accumulator(out, self, dim, keepdim), self, wrap_dims(dim, ndim_of(self)))

    grads_of = "self"
    grads = unknown_derivative("hash_tensor")
