# cython: annotation_typing=False
"""Convolutions of lines, images and volumes, and transposed ones."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, shape_of, strides_of
from ...core.user_warning import warn_user
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..shared.memory_format import strides_in
from .engines import (
    LIBRARY,
    TRANSPOSED,
    at_once,
    check_kernel_type,
    engine_of,
    format_of,
    forward,
    lie_ready,
)
from .sizes import (
    Steps,
    check_bias_type,
    check_shapes,
    check_transposed,
    check_types,
    output_shape,
    steps_of,
)

_STEPS = ("SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
          "SymInt groups")


_SPECS: dict[tuple, Spec] = {}  # by geometry and type of all that goes in: a program has few, and calls them often
_MANY_SPECS = 4096


def _checked(input, weight, bias, steps: Steps) -> Spec:
    """What comes out of a convolution; raises torch's complaints."""
    key = (input.dtype, shape_of(input), strides_of(input), weight.dtype, shape_of(weight), strides_of(weight), steps,
           None if bias is None else (bias.dtype, shape_of(bias)))
    spec = _SPECS.get(key)
    if spec is None:
        if len(_SPECS) >= _MANY_SPECS:
            _SPECS.clear()
        spec = _SPECS[key] = _checked_anew(input, weight, bias, steps)
    return spec


def _checked_anew(input, weight, bias, steps: Steps) -> Spec:
    engine = engine_of(input, weight, steps)
    check_shapes(input, weight, bias, steps, engine == LIBRARY)
    shape = output_shape(shape_of(input), shape_of(weight), steps)
    if engine in (LIBRARY, TRANSPOSED) and steps.transposed:
        check_transposed(input, shape, steps)
    if engine <= TRANSPOSED:
        check_types(input, weight, bias if steps.transposed else None, engine == LIBRARY)
        check_kernel_type(engine, input.dtype, len(shape) - 2)
    return Spec(shape, input.dtype, strides_in(shape, format_of(input, weight, engine)))


class Convolution(Op):
    """Each output channel is a weighted sum of what the kernel sees in the channels of its group, plus bias."""

    schema = f"convolution(Tensor input, Tensor weight, Tensor? bias, {_STEPS}) -> Tensor"
    grads_of = "input weight bias"

    def body(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
        if dispatcher.is_unobserved() and groups == 1 and not transposed:
            steps = steps_of(weight, stride, padding, dilation, transposed, output_padding, groups)
            spec = _checked(input, weight, bias, steps)
            if lie_ready(input, weight, bias):
                return at_once(spec, input, weight, bias, steps)
        return aten._convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups,
                                 False, False, True, True)

    def grads(grad, input, weight, bias_shape, stride, padding, dilation, transposed, output_padding, groups, needs):
        return aten.convolution_backward(grad, input, weight, bias_shape or (0,), stride, padding, dilation, transposed,
                                         output_padding, groups, needs)


class InnerConvolution(Op):
    """The same, with switches for libraries that are not there."""

    schema = (f"_convolution(Tensor input, Tensor weight, Tensor? bias, {_STEPS}, bool benchmark, bool deterministic, "
              "bool cudnn_enabled, bool allow_tf32) -> Tensor")
    grads_of = "input weight bias"
    node = "ConvolutionBackward1"

    def meta(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, *switches):
        return _checked(input, weight, bias,
                        steps_of(weight, stride, padding, dilation, transposed, output_padding, groups))

    def body(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, *switches):
        return forward(input, weight, bias,
                       steps_of(weight, stride, padding, dilation, transposed, output_padding, groups))

    grads = Convolution.grads


class ConvolutionMode(Op):
    """A convolution whose border is given by a word: "valid" for none, "same" for a result of the input's size."""

    schema = ("_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, "
              "SymInt[] dilation, SymInt groups) -> Tensor")

    def body(input, weight, bias, stride, padding, dilation, groups):
        if padding == "same":
            return _same(input, weight, bias, stride, dilation, groups)
        if padding == "valid":
            return aten.convolution(input, weight, bias, stride, (0,), dilation, False, (0,), groups)
        raise RuntimeError(f"Invalid padding string: '{padding}'")


def _same(input, weight, bias, stride, dilation, groups):
    """A border of half the kernel; where that is odd, one more at the end."""
    kernel = shape_of(weight)[2:]
    if ndim_of(weight) != ndim_of(input) or not kernel:
        raise RuntimeError(f"Expected {ndim_of(weight)}-dimensional input for {ndim_of(weight)}-dimensional weight "
                           f"{list(shape_of(weight))}, but got {ndim_of(input)}-dimensional input of size "
                           f"{list(shape_of(input))} instead")
    if any([s != 1 for s in stride]):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    spread = dilation if len(dilation) > 1 else dilation * len(kernel)
    total = [d * (k - 1) for d, k in zip(spread, kernel)]
    if any([n % 2 for n in total]):
        warn_user("Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of "
                  "the input be created")
        input = aten.constant_pad_nd(input, tuple([n for k in reversed(total) for n in (0, k % 2)]), 0)
    before = tuple([n // 2 for n in total])
    return aten.convolution(input, weight, bias, stride, before, dilation, False, (0,) * len(kernel), groups)


def _batched(input, name: str, count: int):
    """The input as a batch, and whether it was one."""
    if ndim_of(input) == count + 2:
        return input, True
    if ndim_of(input) == count + 1:
        return aten.unsqueeze(input, 0), False
    raise RuntimeError(f"Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to {name}, but got input of "
                       f"size: {list(shape_of(input))}")


def _complex(convolve, input, weight, bias):
    """Three real convolutions: (a + ib)(c + id) = ac - bd + i((a + b)(c + d) - ac - bd)."""
    (a, b), (c, d) = _parts(input), _parts(weight)
    e, f = (None, None) if bias is None else _parts(bias)
    first, second = convolve(a, c, e), convolve(b, d, None)
    third_bias = None if bias is None else aten.add(e, f)
    third_weight = aten.add(c, d)
    third = convolve(aten.add(a, b), third_weight, third_bias)
    imaginary = aten.mul(aten.sub(aten.sub(third, first), second), 1j)
    return aten.add(aten.sub(first, second), imaginary)


def _parts(t):
    seen = aten.view_as_real(aten.resolve_conj(t))
    return aten.select(seen, ndim_of(t), 0), aten.select(seen, ndim_of(t), 1)


def _convolve(name: str, count: int, input, weight, bias, convolve):
    """What conv1d, conv2d and conv3d share: no batch, complex numbers."""
    check_bias_type(input, bias)
    input, is_batch = _batched(input, name, count)
    if input.dtype.category == dtypes.COMPLEX:
        out = _complex(convolve, input, weight, bias)
    else:
        out = convolve(input, weight, bias)
    return out if is_batch else aten.squeeze(out, 0)


def _declare(count: int) -> None:
    """The ops of lines (1), images (2) or volumes (3)."""
    plain, transposed = f"conv{count}d", f"conv_transpose{count}d"
    ones, zeros = f"[{', '.join(['1'] * count)}]", f"[{', '.join(['0'] * count)}]"
    none = (0,) * count
    head, numbers = "Tensor input, Tensor weight, Tensor? bias=None", f"SymInt[{count}]"

    def by_numbers(input, weight, bias, stride, padding, dilation, groups):
        return _convolve(plain, count, input, weight, bias, lambda x, w, b: aten.convolution(
            x, w, b, stride, padding, dilation, False, none, groups))

    def by_word(input, weight, bias, stride, padding, dilation, groups):
        return _convolve(plain, count, input, weight, bias, lambda x, w, b: aten._convolution_mode(
            x, w, b, stride, padding, dilation, groups))

    def back(input, weight, bias, stride, padding, output_padding, groups, dilation):
        input, is_batch = _batched(input, transposed, count)

        def convolve(x, w, b):
            return aten.convolution(x, w, b, stride, padding, dilation, True, output_padding, groups)

        out = _complex(convolve, input, weight, bias) if input.dtype.category == dtypes.COMPLEX \
            else convolve(input, weight, bias)
        return out if is_batch else aten.squeeze(out, 0)

    declare(f"{plain}({head}, {numbers} stride={ones}, {numbers} padding={zeros}, {numbers} dilation={ones}, "
            "SymInt groups=1) -> Tensor", "A convolution.", body=by_numbers)
    declare(f'{plain}.padding({head}, {numbers} stride={ones}, str padding="valid", {numbers} dilation={ones}, '
            "SymInt groups=1) -> Tensor", "A convolution whose border is given by a word.", body=by_word)
    overload = "" if count == 1 else ".input"
    declare(f"{transposed}{overload}({head}, {numbers} stride={ones}, {numbers} padding={zeros}, "
            f"{numbers} output_padding={zeros}, SymInt groups=1, {numbers} dilation={ones}) -> Tensor",
            "The gradient of a convolution, taken as an op of its own.", body=back)


for _count in (1, 2, 3):
    _declare(_count)
