# cython: annotation_typing=False
"""Named shape rules: what comes out, and torch's complaint about what went in."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.geometry import broadcast_shapes, wrap_dims
from ..core.promotion import elementwise_type
from ..core.tensor import is_in_order, shape_of
from ..devices.cpu.layout import order_of, strides_in_order
from . import operator
from .kernel_types import KernelTypes
from .spec import Spec

_WITH_TENSOR_NAMES = frozenset("float32 float64 float16 int64 int32 int16 int8 uint8".split())


def elementwise(tensors, dtype: dtypes.DType) -> Spec:
    """What comes out of tensors element by element: the shape that they agree on, in torch's order of dimensions."""
    shape: tuple[int, ...] = shape_of(tensors[0])
    for t in tensors[1:]:
        if shape_of(t) != shape:
            shape = broadcast_shapes(shape, shape_of(t))
    if all([is_in_order(t) for t in tensors]):
        return Spec(shape, dtype)
    order = order_of(shape, [t._mt_array for t in tensors])
    is_usual = order is None or order == list(range(len(shape)))
    return Spec(shape, dtype, None if is_usual else strides_in_order(shape, order))


class Pointwise:
    """Broadcast the tensors, promote their types; the dispatcher casts the operands before the kernel sees them."""

    copies_integers = False

    def __init__(self, result: int):
        self.result = result

    def __call__(self, *args) -> Spec:
        tensors = [a for a in args if hasattr(a, "_mt_array")]
        common = elementwise_type(tensors, self.result == operator.FLOAT)
        return elementwise(tensors, dtypes.bool_ if self.result == operator.BOOL else common)


class Checked(Pointwise):
    """An elementwise rule with a complaint of its own, made before anything else."""

    def __init__(self, result: int, check):
        super().__init__(result)
        self.check = check

    def __call__(self, *args) -> Spec:
        self.check(*args)
        return super().__call__(*args)


class OfTypes(Checked):
    """A complaint about types alone, and never about floats of one type: those are not asked about."""


class Rounding(OfTypes):
    """The rule of ops that make numbers whole: torch copies integers, in a row of its own."""

    copies_integers = True


class Promoted:
    """The same for an op that is written as a body: shape and common type, one that torch has a kernel for."""

    def __init__(self, kernel_types: str):
        self.types = KernelTypes(kernel_types)

    def __call__(self, *args) -> Spec:
        spec = pointwise(*args)
        self.types.check(spec.dtype)
        return spec


def _no_bool_difference(self, other, *_) -> None:
    kinds = [t.dtype is dtypes.bool_ for t in (self, other)]
    if all(kinds):
        raise RuntimeError("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                           "`logical_xor()` operator instead.")
    if any(kinds):
        raise RuntimeError("Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
                           "invert a mask, use the `~` or `logical_not()` operator instead.")


def _no_bool_negation(self, *_) -> None:
    if self.dtype is dtypes.bool_:
        raise RuntimeError("Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert "
                           "a mask, use the `~` or `logical_not()` operator instead.")
    same_type_out(self, *_)


def same_type_out(self, *rest) -> None:
    """Where nothing is promoted, nothing is cast into ``out`` either."""
    if rest and hasattr(rest[-1], "_mt_array") and rest[-1].dtype is not self.dtype:
        raise RuntimeError(f"Found dtype {rest[-1].dtype.short} but expected {self.dtype.short}")


pointwise = Pointwise(operator.SAME)
unchanged = OfTypes(operator.SAME, same_type_out)
subtraction = OfTypes(operator.SAME, _no_bool_difference)
negation = OfTypes(operator.SAME, _no_bool_negation)
comparison = Pointwise(operator.BOOL)
pointwise_float = Pointwise(operator.FLOAT)


def like(self, *_) -> Spec:
    """The shape and type of the first tensor."""
    return Spec(shape_of(self), self.dtype)


def copied(self, src, *_) -> None:
    """What is copied must fit where it goes."""
    into, given = shape_of(self), shape_of(src)
    is_tail = into[len(into) - len(given):] == given  # as of a bias, which needs no closer look
    if not is_tail and broadcast_shapes(into, given) != into:
        raise RuntimeError(f"output with shape {list(into)} doesn't match the broadcast shape "
                           f"{list(broadcast_shapes(into, given))}")


def reduced_shape(shape, dims, keepdim: bool) -> tuple[int, ...]:
    """A shape without the reduced dimensions, or with ones in their place."""
    if not keepdim and (dims is None or dims == ()):
        return ()
    gone = wrap_dims(dims, len(shape))
    if keepdim:
        return tuple([1 if i in gone else s for i, s in enumerate(shape)])
    return tuple([s for i, s in enumerate(shape) if i not in gone])


def matmul_2d(self, mat2) -> Spec:
    """Two matrices whose inner sizes agree."""
    a, b = shape_of(self), shape_of(mat2)
    if len(a) != 2 or len(b) != 2:
        raise RuntimeError(f"{'self' if len(a) != 2 else 'mat2'} must be a matrix")
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({a[0]}x{a[1]} and {b[0]}x{b[1]})")
    same_type(self, mat2)
    return Spec((a[0], b[1]), self.dtype)


def same_type(a, b) -> None:
    """Products want one type on both sides."""
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(a.dtype)} != "
                           f"{c_name(b.dtype)}")


def tensor_name(dtype: dtypes.DType) -> str:
    """A tensor of a type as torch's older complaints call it."""
    return f"torch.{dtype.short}Tensor" if dtype.name in _WITH_TENSOR_NAMES else f"CPU{dtype.short}Type"


def c_name(dtype: dtypes.DType) -> str:
    """A type as torch's complaints about products and interpolation spell it."""
    return dtypes.C_NAMES[dtype.name]
