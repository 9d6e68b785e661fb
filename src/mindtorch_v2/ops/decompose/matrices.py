# cython: annotation_typing=False
"""What all decompositions ask of their matrices, how their results lie in memory, and what they complain of."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.errors import _LinAlgError
from ...core.geometry import broadcast_shapes, contiguous_strides
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.facts import has_values
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op, declare
from ...opdef.kernel_types import not_implemented
from ...opdef.operator import Operator
from ...opdef.rules import Spec

HALF_BYTES = 2  # the size of float16 and bfloat16
NON_FINITE = -4  # the argument that LAPACK's singular values find fault with where a matrix is not finite


def by_columns(shape: tuple[int, ...], dtype) -> Spec:
    """Matrices as LAPACK lays them out, column by column."""
    strides = list(contiguous_strides(shape))
    if len(shape) > 1:
        strides[-2:] = 1, max(shape[-2], 1)
    return Spec(tuple(shape), dtype, tuple(strides), True)


def by_rows(shape: tuple[int, ...], dtype) -> Spec:
    """Results that lie in C order and nowhere else."""
    return Spec(tuple(shape), dtype, tuple(contiguous_strides(shape)), True) if shape else Spec((), dtype)


def is_by_columns(t) -> bool:
    """Whether the transposed matrices lie in C order; torch looks at them in a row."""
    return is_in_order(aten.mT(t))


def copied_by_columns(t):
    """A copy that LAPACK can work in, made as torch makes it."""
    return aten.transpose_(aten.clone(aten.mT(t), memory_format=contiguous_format), -2, -1)


def shaped_by_columns(out, like):
    """An empty result in the shape of other matrices, column by column, as older ops bring it there."""
    turned = aten.mT(like)
    return aten.transpose_(aten.resize_(out, shape_of(turned)), -2, -1)


def needs_copy(out, dtype, shape: tuple[int, ...]) -> bool:
    """Whether a given result must be written elsewhere first: of another type or shape, or not column by column."""
    turned = ndim_of(out) >= 2 and is_by_columns(out)
    return out.dtype is not dtype or (numel_of(out) != 0 and not (turned and shape_of(out) == shape))


def check_castable(name: str, out, dtype, what: str = "result") -> None:
    """Older ops write into any tensor that can hold their kind of numbers."""
    if dtype.category > out.dtype.category:
        raise RuntimeError(f"{name}: Expected {what} to be safely castable from {dtype.short} dtype, but got {what} "
                           f"with dtype {out.dtype.short}")


def declare_out(op: Operator, name: str, overload: str = "out", words: str | None = None, **facets) -> None:
    """The form of an op with one result that torch computes as if nothing were given, and copies.

    ``words`` are its complaint about a tensor of another type, where it takes no other.
    """
    params = op.schema.sentence.partition("(")[2].rpartition(") -> ")[0]
    star = "" if "*," in params else ", *"

    def body(*args):
        *given, out = args
        result = dispatcher.call(op, tuple(given))
        if words is None:
            check_castable(name, out, result.dtype)
        elif out.dtype is not result.dtype:
            raise RuntimeError(words.format(result.dtype.short, out.dtype.short))
        return aten.copy_(resize_output(out, shape_of(result)), result)

    declare(f"{op.name}.{overload}({params}{star}, Tensor(a!) out) -> Tensor(a!)", op.doc, body=body, **facets)


NO_DERIVATIVE = "torch has no derivative of this form"


def check_matrix(t, name: str, arg: str = "A") -> None:
    if ndim_of(t) < 2:
        raise RuntimeError(f"{name}: The input tensor {arg} must have at least 2 dimensions.")


def check_square(t, name: str, arg: str = "A") -> None:
    check_matrix(t, name, arg)
    check_sides(t, f"{name}: {arg}")


def check_sides(t, subject: str) -> None:
    *_, m, n = shape_of(t)
    if m != n:
        raise RuntimeError(f"{subject} must be batches of square matrices, but they are {m} by {n} matrices")


def check_floating(t, name: str, low_precision: bool = True) -> None:
    if t.dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {t.dtype.short}")
    if not low_precision and t.dtype.itemsize == HALF_BYTES:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {t.dtype.short}")


def check_kernel(dtype, kernel: str) -> None:
    """LAPACK is for the wider floating and complex types."""
    if dtype.category < dtypes.FLOATING or dtype.itemsize == HALF_BYTES:
        raise not_implemented(kernel, dtype)


def check_sides_of_equation(A, B, left: bool, name: str) -> None:
    """Whether AX = B, or XA = B, can have a solution; B's shape may be that of a column."""
    check_square(A, name)
    check_matrix(B, name, "B")
    a, b = shape_of(A), shape_of(B)
    if (a[-2] != b[-2]) if left else (a[-1] != b[-1]):
        raise RuntimeError(f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
                           f"({a[-2]}x{a[-1]} and {b[-2]}x{b[-1]})")


def check_equation(b, a, name: str) -> None:
    """The same as older ops ask it."""
    if a.dtype is not b.dtype:
        raise RuntimeError(f"Expected b and A to have the same dtype, but found b of type {b.dtype.short} and A of "
                           f"type {a.dtype.short} instead.")
    check_sides(a, "A")
    *_, m, n = shape_of(a)
    *_, rows, columns = shape_of(b)
    if n != rows:
        raise RuntimeError(f"Incompatible matrix sizes for {name}: each A matrix is {m} by {m} but each b matrix is "
                           f"{rows} by {columns}")


def common_batch(a, b) -> tuple[int, ...]:
    """The dimensions before the matrices that both can be expanded to."""
    return broadcast_shapes(shape_of(a)[:-2], shape_of(b)[:-2])


def expanded(t, batch: tuple[int, ...]):
    """Matrices with more dimensions before them, a view; the same where it has them."""
    shape = (*batch, *shape_of(t)[-2:])
    return t if shape_of(t) == shape else aten.expand(t, shape)


def lapack_workspace(size: int, dtype) -> None:
    """Memory that LAPACK works in, as much as MKL asks for: it comes and goes, and is seen in profiles."""
    aten.empty((size,), dtype=dtype)


def geqrf_work(matrices) -> int:
    """How many numbers MKL asks for to find reflections in."""
    n = shape_of(matrices)[-1]
    return n + 1 if numel_of(matrices) else max(n, 2)


class LinalgCheckErrors(Op):
    """Raise what LAPACK's codes say of the first matrix that has one."""

    schema = "_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()"
    internal = "ops that end in an error where a matrix has no answer"

    def body(info, api_name, is_matrix):
        if not has_values(info) or not aten.item(aten.any(info)):
            return
        codes = [aten.item(aten.select(aten.view(info, (-1,)), 0, i)) for i in range(math.prod(shape_of(info)))]
        number, code = next((i, code) for i, code in enumerate(codes) if code)
        name = api_name if is_matrix else f"{api_name}: (Batch element {number})"
        if code == NON_FINITE and "svd" in api_name:
            raise _LinAlgError(f"{name}: The algorithm failed to converge because the input matrix contained "
                               "non-finite values.")
        kind, text = next((row[1:] for row in COMPLAINTS if row[0] in api_name), (RuntimeError, UNKNOWN))
        raise kind(f"{name}: {text.format(code=code)}")


UNKNOWN = "Unknown error code: {code}."
# By a part of the name of the function that was called.
COMPLAINTS = [
    ("inv", _LinAlgError, "The diagonal element {code} is zero, the inversion could not be completed because the input "
                          "matrix is singular."),
    ("solve", _LinAlgError, "The solver failed because the input matrix is singular."),
    ("cholesky", _LinAlgError, "The factorization could not be completed because the input is not positive-definite "
                               "(the leading minor of order {code} is not positive-definite)."),
    ("eig", _LinAlgError, "The algorithm failed to converge because the input matrix is ill-conditioned or has too "
                          "many repeated eigenvalues (error code: {code})."),
    ("svd", _LinAlgError, "The algorithm failed to converge because the input matrix is ill-conditioned or has too "
                          "many repeated singular values (error code: {code})."),
    ("lstsq", _LinAlgError, "The least squares solution could not be computed because the input matrix does not have "
                            "full rank (error code: {code})."),
    ("lu_factor", RuntimeError, "U[{code},{code}] is zero and using it on lu_solve would result in a division by zero. "
                                "If you still want to perform the factorization, consider calling linalg.lu(A, pivot) "
                                "or linalg.lu_factor_ex(A, pivot)"),
]


def codes_for(matrices, at_least: int = 1):
    """Zeros for LAPACK's codes, one for each matrix."""
    return aten.zeros((max(at_least, math.prod(shape_of(matrices)[:-2])),), dtype=dtypes.int32)


def raise_for(info, name: str, A) -> None:
    """What an op says of its matrices where one of them has no answer."""
    aten._linalg_check_errors(info, name, is_matrix=ndim_of(A) == 2)
