# cython: annotation_typing=False
"""Numbers in a row: arange, range, linspace, logspace, and the identity matrix."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.tensor import Tensor, blank, numel_of, shape_of
from ...core.user_warning import warn_user
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call, is_unobserved
from ...opdef import table
from ...opdef.form import Op, declare
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ...opdef.scalars import converted
from ..shared.values import number_in
from .factories import Empty, fit

_OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def _range_checks(start, end, step, dtype) -> None:
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {_shown(start)} -> {_shown(end)}")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if dtype is dtypes.int64 and int(step) == 0:
        raise ValueError("step must be nonzero")
    if (end - start) * (1 if step > 0 else -1) < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


def _shown(value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _arange(start, end, step, dtype, layout, device, pin_memory):
    if dtype is None and all(isinstance(v, int) for v in (start, end, step)):
        dtype = dtypes.int64
    if dtype is dtypes.int64 and layout is None and device is None and not pin_memory and is_unobserved():
        return _whole_numbers(start, end, step)
    result = call(Empty.op, ((0,), dtype, layout, device, pin_memory, None))
    return call(ArangeOut.op, (start, end, step, result))


def _whole_numbers(start, end, step):
    """The usual arange, without an empty tensor that would be given its size afterwards."""
    _range_checks(start, end, step, dtypes.int64)
    out = blank((_steps_to(start, end, step, dtypes.int64),), dtypes.int64)
    run.arange(out, start, step)
    return out


class Arange(Op):
    """From zero up to but without end."""

    schema = f"arange(Scalar end, {_OPTIONS}) -> Tensor"

    def body(end, dtype, layout, device, pin_memory):
        return _arange(0, end, 1, dtype, layout, device, pin_memory)


class ArangeStart(Op):
    """From start up to but without end."""

    schema = f"arange.start(Scalar start, Scalar end, {_OPTIONS}) -> Tensor"

    def body(start, end, dtype, layout, device, pin_memory):
        return _arange(start, end, 1, dtype, layout, device, pin_memory)


class ArangeStep(Op):
    """From start up to but without end, in steps."""

    schema = f"arange.start_step(Scalar start, Scalar end, Scalar step=1, {_OPTIONS}) -> Tensor"
    body = _arange


def _check_arange(start, end, step, out) -> None:
    if out.dtype is dtypes.bool_ or out.dtype.category == dtypes.COMPLEX:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{out.dtype.short}'")
    _range_checks(start, end, step, out.dtype)


def _steps_to(start, end, step, dtype) -> int:
    if dtype is dtypes.int64:
        return -((int(start) - int(end)) // int(step))
    return math.ceil((end - start) / step)


def _counted(out, count: int) -> Spec:
    """So many numbers in a given tensor, which keeps its shape if it holds as many."""
    return Spec(shape_of(out) if numel_of(out) == count else (count,), out.dtype)


class ArangeOut(Op):
    """From start up to but without end, into a given tensor."""

    schema = "arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"
    tuned = "hot: it counts its steps once"

    def meta(start, end, step, out):
        _check_arange(start, end, step, out)
        return _counted(out, _steps_to(start, end, step, out.dtype))

    def body(start, end, step, out):
        _check_arange(start, end, step, out)
        count = _steps_to(start, end, step, out.dtype)
        if numel_of(out) != count:
            _say_resized(out, count)
            fit(out, (count,))
        run.arange(out, start, step)
        return out


def _say_resized(out, count: int) -> None:
    if numel_of(out):
        warn_user(f"The number of elements in the out tensor of shape {list(shape_of(out))} is "
                  f"{numel_of(out)} which does not match the computed number of elements {count}. Note that "
                  "this may occur as a result of rounding error. The out tensor will be resized to a tensor of "
                  f"shape ({count},).")


class ArangeEndOut(Op):
    """From zero up to but without end, into a given tensor."""

    schema = "arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def body(end, out):
        return call(ArangeOut.op, (0, end, 1, out))


class Range(Op):
    """From start up to and with end, in steps."""

    schema = f"range.step(Scalar start, Scalar end, Scalar step=1, {_OPTIONS}) -> Tensor"

    def body(start, end, step, dtype, layout, device, pin_memory):
        warn_user("torch.range is deprecated and will be removed in a future release because its behavior is "
                  "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in "
                  "[start, end).")
        result = call(Empty.op, ((0,), dtype or dtypes.get_default_dtype(), strided, device, None, None))
        return call(RangeOut.op, (start, end, step, result))


class RangeByOneOut(Op):
    """From start up to and with end, by ones, into a given tensor."""

    schema = "range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)"
    no_formula = "torch has no derivative for it"

    def meta(start, end, out):
        return RangeOut.meta(start, end, 1, out)

    def body(start, end, out):
        return RangeOut.body(start, end, 1, out)


class RangeOut(Op):
    """From start up to and with end, into a given tensor."""

    schema = "range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"

    def meta(start, end, step, out):
        if out.dtype is dtypes.bool_ or out.dtype.is_complex:
            raise NotImplementedError(f"\"range_cpu\" not implemented for '{out.dtype.short}'")
        _range_checks(start, end, step, out.dtype)
        return _counted(out, int((end - start) / step + 1))

    def body(start, end, step, out):
        count = int((end - start) / step + 1)
        if numel_of(out) != count:
            fit(out, (count,))
        run.closed_range(out, start, step)
        return out


def _steps_are_counted(start, end, steps, *_) -> None:
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")


def _spaced_rule(start, end, steps, *rest) -> Spec:
    _steps_are_counted(start, end, steps)
    return _counted(rest[-1], steps)


# The ends of linspace and logspace as tensors of one number each: the word in torch's name, and the two parameters.
ENDS = {"Tensor_Tensor": "Tensor start, Tensor end", "Tensor_Scalar": "Tensor start, Scalar end",
        "Scalar_Tensor": "Scalar start, Tensor end"}


def _check_ends(name: str):
    """Only tensors without dimensions can be the ends."""
    def check(start, end, *_) -> None:
        wrong = [f"{word} with {t.dim()} dimension(s)" for word, t in (("start", start), ("end", end))
                 if isinstance(t, Tensor) and t.dim()]
        if wrong:
            raise RuntimeError(f"{name} only supports 0-dimensional start and end tensors, but got "
                               f"{' and '.join(wrong)}.")
    return check


def _number(end):
    return number_in(end) if isinstance(end, Tensor) else end


def _of_numbers(name: str, overload: str):
    """Numbers read from tensors, then the op of numbers, which is declared after: it would take tensors for numbers."""
    return lambda start, end, *rest: call(table.find(name, overload), (_number(start), _number(end), *rest))


def _declare_ends(name: str, further: str) -> None:
    for word, ends in ENDS.items():
        declare(f"{name}.{word}({ends}, int steps, {further}{_OPTIONS}) -> Tensor",
                f"{name} between tensors of one number each.", below="makes a new tensor", meta=_check_ends(name),
                body=_of_numbers(name, ""))
        declare(f"{name}.{word}_out({ends}, int steps, {further}*, Tensor(a!) out) -> Tensor(a!)",
                f"{name} between tensors of one number each, into a given tensor.", overlap="shares_inputs",
                no_formula="torch has no derivative for it", meta=_check_ends(name),
                body=_of_numbers(name, "out"))


_declare_ends("linspace", "")
_declare_ends("logspace", "float base=10., ")


class Linspace(Op):
    """Evenly spaced numbers from start to end."""

    schema = f"linspace(Scalar start, Scalar end, int steps, {_OPTIONS}) -> Tensor"
    meta = _steps_are_counted

    def body(start, end, steps, dtype, layout, device, pin_memory):
        dtype = dtype or _spacing_type(start, end)
        result = call(Empty.op, ((steps,), dtype, layout, device, pin_memory, None))
        if is_unobserved() and not dtype.rare:
            return LinspaceOut.body(start, end, steps, result)
        return call(LinspaceOut.op, (start, end, steps, result))


class LinspaceOut(Op):
    """Evenly spaced numbers from start to end, into a given tensor."""

    schema = "linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"
    meta = _spaced_rule

    def body(start, end, steps, out):
        if numel_of(out) != steps:
            fit(out, (steps,))
        if steps == 1:
            return aten.fill_(out, start)
        if steps:
            _check_spacing("linspace_cpu", out)
            run.linspace(out, converted(start, out.dtype), converted(end, out.dtype))
        return out


def _check_spacing(kernel: str, out) -> None:
    if out.dtype is dtypes.bool_:
        raise not_implemented(kernel, out.dtype)


def _spacing_type(start, end) -> dtypes.DType:
    common = dtypes.get_default_dtype()
    return common.to_complex() if isinstance(start, complex) or isinstance(end, complex) else common


class Logspace(Op):
    """A base to the power of evenly spaced numbers."""

    schema = f"logspace(Scalar start, Scalar end, int steps, float base=10., {_OPTIONS}) -> Tensor"
    meta = _steps_are_counted

    def body(start, end, steps, base, dtype, layout, device, pin_memory):
        dtype = dtype or _spacing_type(start, end)
        result = call(Empty.op, ((steps,), dtype, layout, device, pin_memory, None))
        return call(LogspaceOut.op, (start, end, steps, base, result))


class LogspaceOut(Op):
    """A base to the power of evenly spaced numbers, into a given tensor."""

    schema = "logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"
    meta = _spaced_rule

    def body(start, end, steps, base, out):
        if numel_of(out) != steps:
            fit(out, (steps,))
        if steps == 1:
            return aten.fill_(out, base**start)
        if steps:
            _check_spacing("logspace_cpu", out)
            run.logspace(out, converted(start, out.dtype), converted(end, out.dtype), base)
        return out


def _identity_rule(n, m, out) -> Spec:
    for name, size in (("n", n), ("m", m)):
        if size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    return Spec((n, m), out.dtype)


def _identity(n, m, out):
    aten.zero_(fit(out, (n, m)))
    run.fill_diagonal_ones(out)
    return out


class Eye(Op):
    """The identity matrix."""

    schema = f"eye(SymInt n, {_OPTIONS}) -> Tensor"

    def body(n, dtype, layout, device, pin_memory):
        return call(EyeRectangle.op, (n, n, dtype, layout, device, pin_memory))


class EyeRectangle(Op):
    """Ones on the diagonal of a matrix of zeros."""

    schema = f"eye.m(SymInt n, SymInt m, {_OPTIONS}) -> Tensor"

    def body(n, m, dtype, layout, device, pin_memory):
        if is_unobserved() and n >= 0 and m >= 0 and not (dtype and dtype.rare):
            result = call(Empty.op, ((n, m), dtype, layout, device, pin_memory, None))
            run.fill(result, 0)
            run.fill_diagonal_ones(result)
            return result
        return call(EyeOut.op, (n, m, call(Empty.op, ((0,), dtype, layout, device, pin_memory, None))))


class EyeOut(Op):
    """Ones on the diagonal of a matrix of zeros, into a given tensor."""

    schema = "eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"
    meta = _identity_rule
    body = _identity


class EyeSquareOut(Op):
    """The identity matrix, into a given tensor."""

    schema = "eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "expanded_out"
    below = "makes a tensor anew"

    def meta(n, out):
        return _identity_rule(n, n, out)

    def body(n, out):
        return _identity(n, n, out)
