"""Complex numbers made of two real ones: real and imaginary part, or length and angle."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import declare
from ...opdef.rules import Spec, elementwise

TYPES = (dtypes.float32, dtypes.float64)


def _rule(first, second) -> Spec:
    if first.dtype is dtypes.float16 and second.dtype is dtypes.float16:
        raise NotImplementedError("complex numbers of two float16 are not supported; give float32 or float64")
    if first.dtype not in TYPES or second.dtype not in TYPES:
        raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {first.dtype.short} and "
                           f"{second.dtype.short}")
    if first.dtype is not second.dtype:
        raise RuntimeError(f"Expected object of scalar type {first.dtype.short} but got scalar type "
                           f"{second.dtype.short} for second argument")
    return elementwise((first, second), first.dtype.to_complex())


def _check_out(first, second, out) -> None:
    wanted = _rule(first, second).dtype
    if out.dtype is not wanted:
        raise RuntimeError(f"Expected object of scalar type {wanted.short} but got scalar type {out.dtype.short} for "
                           "argument 'out'")


def _parts_of(grad, needs):
    imaginary = aten.imag(grad) if needs[1] else None
    return aten.real(grad) if needs[0] else None, imaginary


def _polar_gradient(grad, result, needs):
    """Along a number's direction, and across it as far as it reaches."""
    along = aten._conj(grad)
    of_length = aten.real(aten.mul(along, aten.sgn(result))) if needs[0] else None
    return of_length, aten.real(aten.mul(along, aten.mul(result, 1j))) if needs[1] else None


# Name, its two parameters, what it is, its derivative.
MADE_OF_TWO = [
    ("complex", "real", "imag", "Complex numbers of real and imaginary parts.", _parts_of),
    ("polar", "abs", "angle", "Complex numbers of a length and an angle.", _polar_gradient),
]


def _declare(name: str, first: str, second: str, doc: str, gradient) -> None:
    params = f"(Tensor {first}, Tensor {second}"

    def body(one, other):
        return getattr(aten, name)(one, other, out=aten.empty((0,), dtype=_rule(one, other).dtype))

    declare(f"{name}{params}) -> Tensor", doc, meta=_rule, body=body, grads=gradient, conjugate=False)
    declare(f"{name}.out{params}, *, Tensor(a!) out) -> Tensor(a!)", doc, meta=_rule, into=getattr(run, name),
            check_out=_check_out)


for row in MADE_OF_TWO:
    _declare(*row)
