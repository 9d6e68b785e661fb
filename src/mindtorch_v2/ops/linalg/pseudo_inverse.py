"""The pseudo-inverse and the rank of matrices, by singular values or, of hermitian ones, by eigenvalues."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..decompose import matrices
from ..shared.not_differentiable import constant

RANK = "torch.linalg.matrix_rank"
PINV = "torch.linalg.pinv"


def _number(value: float):
    return aten.full((), value, dtype=dtypes.float64)


def _usual_tolerance(self) -> float:
    """How far from zero a value must be beside the largest one, to count."""
    if self.dtype.category < dtypes.FLOATING:
        raise RuntimeError("This function doesn't handle types other than float and double")
    return dtypes.finfo(self.dtype.to_real()).eps * max(shape_of(self)[-2:])


def _of_tensors(self, atol, rtol, name: str):
    """Tolerances that were given as tensors, or not; the usual one holds only where none above zero is given."""
    for word, tolerance in (("atol", atol), ("rtol", rtol)):
        if tolerance is not None and tolerance.is_complex():
            raise RuntimeError(f"{name}: {word} tensor of complex type is not supported. Got {tolerance.dtype.short}")
    given = atol
    if atol is None:
        atol = aten.zeros((), dtype=dtypes.float64)
    if rtol is None:
        rtol = _number(_usual_tolerance(self))
        if given is not None:
            none = aten.zeros((), dtype=dtypes.float64)
            rtol = aten.where(aten.gt(given, 0), none, rtol)
    return atol, rtol


def _of_numbers(self, atol, rtol):
    """The same for numbers."""
    atol = 0.0 if atol is None else atol
    if rtol is None:
        rtol = 0.0 if atol > 0 else _usual_tolerance(self)
    return _number(atol), _number(rtol)


def _threshold(largest, atol, rtol):
    relative = aten.mul(aten.unsqueeze(rtol, -1), largest)
    return aten.max(aten.unsqueeze(atol, -1), relative)


def _check_pinv(self) -> None:
    if ndim_of(self) < 2 or self.dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"linalg.pinv({self.dtype.short}{{{list(shape_of(self))}}}): expected a tensor with 2 or "
                           "more dimensions of float, double, cfloat or cdouble types")


class LinalgPinv(Op):
    """The pseudo-inverse of each matrix: values that count are inverted, all others are zero."""

    schema = ("linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, "
              "bool hermitian=False) -> Tensor")
    node = "LinalgPinvBackward0"
    conjugate = False
    grads_of = "self"

    def meta(self, atol, rtol, hermitian):
        constant("linalg_pinv", "atol", atol)
        constant("linalg_pinv", "rtol", rtol)
        _check_pinv(self)
        *batch, m, n = shape_of(self)
        return Spec((*batch, n, m), self.dtype)

    def body(self, atol, rtol, hermitian):
        atol, rtol = _of_tensors(self, atol, rtol, PINV)
        if hermitian and numel_of(self):
            values, left = aten.linalg_eigh(self)
            right, sizes = left, aten.abs(values)
            largest = aten.amax(sizes, (-1,), True)
        else:
            left, values, right = aten.svd(self)
            sizes = values
            if not numel_of(self):
                adjoint = aten.mH(left)
                return aten.matmul(aten.mul(right, aten.unsqueeze(aten.reciprocal(values), -2)), adjoint)
            largest = aten.narrow(values, -1, 0, 1)
        tolerance = _threshold(largest, atol, rtol)
        none = aten.zeros((), dtype=values.dtype)
        inverse = aten.reciprocal(values)
        inverse = aten.to(aten.where(aten.gt(sizes, tolerance), inverse, none), self.dtype)
        adjoint = aten.mH(left)
        return aten.matmul(aten.mul(right, aten.unsqueeze(inverse, -2)), adjoint)

    def grads(grad, self, result):
        return [pinv_gradient(grad, result, self)]


def pinv_gradient(grad, inverse, A):
    """The gradient of a pseudo-inverse, where the rank does not change."""
    adjoint, turned = aten.mH(inverse), aten.mH(grad)
    *_, m, n = shape_of(A)
    if m <= n:
        inner = aten.matmul(turned, inverse)
        outer = aten.matmul(inner, adjoint)
        gradient = aten.sub(outer, aten.mH(aten.matmul(inverse, inner)))
        gradient = aten.sub(gradient, aten.matmul(aten.matmul(A, inverse), outer))
        return aten.add(gradient, aten.matmul(aten.matmul(adjoint, inverse),
                                              aten.sub(turned, aten.matmul(inner, A))))
    inner = aten.matmul(inverse, turned)
    outer = aten.matmul(adjoint, inner)
    gradient = aten.sub(outer, aten.mH(aten.matmul(inner, inverse)))
    rest = aten.matmul(aten.matmul(aten.sub(turned, aten.matmul(A, inner)), inverse), adjoint)
    gradient = aten.add(gradient, rest)
    return aten.sub(gradient, aten.matmul(aten.matmul(outer, inverse), A))


def _pinv_by_numbers(self, atol, rtol, hermitian):
    _check_pinv(self)
    atol, rtol = _of_numbers(self, atol, rtol)
    return aten.linalg_pinv(self, atol=atol, rtol=rtol, hermitian=hermitian)


def _pinv_by_number(self, rcond, hermitian):
    _check_pinv(self)
    return aten.linalg_pinv(self, atol=_number(0.0), rtol=_number(rcond), hermitian=hermitian)


def _pinv_by_tensor(self, rcond, hermitian):
    return aten.linalg_pinv(self, atol=aten.zeros((), dtype=dtypes.float64), rtol=rcond, hermitian=hermitian)


def _declare_pinv() -> None:
    """The other forms; those that take tensors are tried before those that would take their numbers."""
    doc = LinalgPinv.op.doc
    matrices.declare_out(LinalgPinv.op, "linalg.pinv", "atol_rtol_tensor_out", below=matrices.NO_DERIVATIVE)
    for overload, out, params, body in (
            ("atol_rtol_float", "atol_rtol_float_out",
             "*, float? atol=None, float? rtol=None, bool hermitian=False", _pinv_by_numbers),
            ("rcond_tensor", "out_rcond_tensor", "Tensor rcond, bool hermitian=False", _pinv_by_tensor)):
        op = declare(f"linalg_pinv.{overload}(Tensor self, {params}) -> Tensor", doc, body=body)
        matrices.declare_out(op.op, "linalg.pinv", out)
    declare("linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", doc, body=_pinv_by_number,
            variants="out", out=lambda self, rcond, hermitian, out: aten.linalg_pinv(self, _number(rcond), hermitian,
                                                                                    out=out))
    declare("pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor",
            "linalg_pinv() by its older name.", variants="method",
            body=lambda self, rcond: aten.linalg_pinv(self, rcond, False))


_declare_pinv()


def _rank_into(result, self, hermitian: bool, atol, rtol):
    """How many values count."""
    resize_output(result, shape_of(self)[:-2])
    if numel_of(self) == 0:
        return aten.fill_(result, 0)
    if hermitian:
        sizes = aten.abs(aten.linalg_eigvalsh(self))
        largest = aten.amax(sizes, (-1,), True)
    else:
        sizes = aten.linalg_svdvals(self)
        largest = aten.narrow(sizes, -1, 0, 1)
    return aten.sum(aten.gt(sizes, _threshold(largest, atol, rtol)), (-1,), False, out=result)


def _rank_by_tensors(self, atol, rtol, hermitian, out=None):
    result = _rank_room(self, out)
    return _rank_into(result, self, hermitian, *_of_tensors(self, atol, rtol, RANK))


def _rank_by_numbers(self, atol, rtol, hermitian, out=None):
    result = _rank_room(self, out)
    return _rank_into(result, self, hermitian, *_of_numbers(self, atol, rtol))


def _rank_by_number(self, tol, hermitian, out=None):
    return _rank_by_numbers(self, tol, 0.0, hermitian, out)


def _rank_by_tensor(self, tol, hermitian, out=None):
    result = _rank_room(self, out)
    rtol = aten.zeros((), dtype=tol.dtype)
    if out is not None:
        return aten.linalg_matrix_rank(self, atol=tol, rtol=rtol, hermitian=hermitian, out=out)
    return _rank_into(result, self, hermitian, *_of_tensors(self, tol, rtol, RANK))


def _rank_room(self, out):
    matrices.check_matrix(self, RANK, "input")
    if out is None:
        return aten.empty(shape_of(self)[:-2], dtype=dtypes.int64)
    matrices.check_castable(RANK, out, dtypes.int64)
    return out


# Overload, the name of its out= form, parameters, how it works.
RANKS = [
    ("atol_rtol_tensor", "atol_rtol_tensor_out", "Tensor input, *, Tensor? atol=None, Tensor? rtol=None, "
     "bool hermitian=False", _rank_by_tensors),
    ("atol_rtol_float", "atol_rtol_float_out", "Tensor self, *, float? atol=None, float? rtol=None, "
     "bool hermitian=False", _rank_by_numbers),
    ("tol_tensor", "out_tol_tensor", "Tensor input, Tensor tol, bool hermitian=False", _rank_by_tensor),
    ("", "out", "Tensor self, float tol, bool hermitian=False", _rank_by_number),
]
for overload, out, params, body in RANKS:
    dot = f".{overload}" if overload else ""
    declare(f"linalg_matrix_rank{dot}({params}) -> Tensor", "How many singular values of each matrix count.",
            body=body, variants=f".{out}")
