# cython: annotation_typing=False
"""Between two tensors, and a step along a product or quotient: what optimisers are made of."""

from __future__ import annotations

from ...core.dtype import FLOATING
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...opdef import operator, rules
from ...opdef.form import Op


def _same_types(kernel: str):
    """lerp casts nothing."""
    def check(self, end, weight, *_):
        if end.dtype is self.dtype and isinstance(weight, float) and self.dtype.category >= FLOATING:
            return
        for name, value in (("end", end), ("weight", weight)):
            if isinstance(value, Tensor) and value.dtype is not self.dtype:
                raise RuntimeError(f"expected dtype {rules.c_name(self.dtype)} for `{name}` but got dtype "
                                   f"{rules.c_name(value.dtype)}")
        if self.dtype.category < FLOATING:
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{self.dtype.short}'")
    return rules.OfTypes(operator.SAME, check)


# Before LerpScalar, so that a weight without dimensions stays a tensor.
class LerpTensor(Op):
    """From self towards end, by a weight for each element."""

    schema = "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"
    variants = "method inplace Tensor_out"
    node = "LerpBackward1"
    meta = _same_types("lerp_kernel_tensor")
    kernel = "lerp_tensor"

    def grads(grad, self, end, weight, needs):
        of_end = aten.mul(grad, weight) if needs[1] else None
        of_self = aten.mul(grad, _one_minus(weight)) if needs[0] else None
        return of_self, of_end, aten.mul(grad, aten.sub(end, self)) if needs[2] else None


class LerpScalar(Op):
    """From self towards end, by a number."""

    schema = "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"
    scalars = "opmath: weight"
    variants = "method inplace out"
    node = "LerpBackward0"
    meta = _same_types("lerp_kernel_scalar")

    def grads(grad, weight, needs):
        of_end = aten.mul(grad, weight) if needs[1] else None
        return aten.mul(grad, 1 - weight) if needs[0] else None, of_end

    grads_of = "self end"


def _one_minus(weight):
    """1 - a tensor, as C++ says it: ones of its own to subtract from."""
    return aten.sub_(aten.fill_(aten.empty_like(weight), 1), weight)


class Addcmul(Op):
    """self + value * tensor1 * tensor2."""

    schema = "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"
    kernel_types = "addcmul_cpu_out: integral floating complex"
    scalars = "opmath: value"
    variants = "method inplace out"
    meta = rules.pointwise

    def grads(grad, tensor1, tensor2, value, needs):
        of_1 = aten.mul(grad, aten.mul(tensor2, value)) if needs[1] else None
        of_2 = aten.mul(grad, aten.mul(tensor1, value)) if needs[2] else None
        return grad if needs[0] else None, of_1, of_2


INTEGER_DIVISION = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
    "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
    "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for "
    "float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / "
    "tensor2), for all dtypes.")


def _no_integer_division(self, tensor1, tensor2, *_) -> None:
    if tensor1.dtype.category < FLOATING and tensor2.dtype.category < FLOATING:
        raise RuntimeError(INTEGER_DIVISION)


class Addcdiv(Op):
    """self + value * tensor1 / tensor2."""

    schema = "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"
    scalars = "opmath: value"
    variants = "method inplace out"
    meta = rules.OfTypes(operator.SAME, _no_integer_division)

    def grads(grad, tensor1, tensor2, value, needs):
        of_1 = of_2 = None
        if needs[1]:
            of_1 = aten.mul(grad, aten.div_(aten.fill_(aten.empty_like(tensor2), value), tensor2))
        if needs[2]:
            square = aten.mul(tensor2, tensor2)
            slope = aten.div(aten.mul(tensor1, value), square)
            of_2 = aten.mul(aten.neg(grad), slope)
        return grad if needs[0] else None, of_1, of_2
