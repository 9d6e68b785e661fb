# cython: annotation_typing=False
"""Which of torch's engines computes a convolution, and the rows that each shows: ours is one and the same kernel.

oneDNN's own rows are not shown (docs/DIFFERENCES.md), those of its allocations are. torch chooses by type, size and
number of threads; this is its choice for one thread.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import contiguous_strides
from ...core.tensor import blank, in_rows, is_row_major, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..create.factories import empty
from ..shared.memory_format import channels_lie_last, in_format, last_strides, suggested_format
from .sizes import Steps, output_shape

# oneDNN; torch's own for images, with gaps in the kernel, for volumes, transposed; nothing to do
LIBRARY, SLOW, DILATED, VOLUME, TRANSPOSED, EMPTY = range(6)
# What torch's own code says of numbers that it has no loop for.
_LOOPS = {SLOW: "slow_conv2d_cpu", DILATED: "slow_conv_dilated<>", VOLUME: "compute_columns3d",
          TRANSPOSED: "slow_conv_transpose{}d_out_cpu"}
LINE_DIMS = 3  # batch, channels, length
FEW_ITEMS = 16  # below which oneDNN is not worth it for kernels of one element
SMALL_KERNEL, SMALL_INPUT = 3, 20480  # up to which it is not worth it for a single item


def engine_of(input, weight, steps: Steps) -> int:
    """Torch's choice for these tensors, images or volumes."""
    return _engine(input.dtype, shape_of(input), shape_of(weight), steps)


@lru_cache
def _engine(dtype, input_shape, weight_shape, steps: Steps) -> int:
    sizes, kernel = _as_planes(input_shape), _as_planes(weight_shape)
    if not sizes[0] or not sizes[1]:
        return EMPTY
    if _takes_library(dtype, sizes, kernel, steps):
        return LIBRARY
    if steps.transposed:
        return TRANSPOSED
    if max(steps.dilation) > 1:
        return DILATED
    return SLOW if len(kernel) == 4 else VOLUME


def _as_planes(shape):
    return shape if len(shape) > 3 else (*shape[:2], 1, shape[2])


def _takes_library(dtype, sizes, kernel, steps: Steps) -> bool:
    if steps.transposed and any([o >= s for o, s in zip(steps.output_padding, steps.stride)]):
        return False
    if dtype is not dtypes.float32:
        return dtype is dtypes.bfloat16
    if kernel[-1] == kernel[-2] == 1 and sizes[0] < FEW_ITEMS and max(*steps.stride, *steps.dilation) == 1:
        return False
    return (steps.groups > 1 or sizes[0] > 1 or min(kernel[-2:]) > SMALL_KERNEL or prod(sizes[:4]) > SMALL_INPUT)


def check_kernel_type(engine: int, dtype, dimensions: int) -> None:
    """Numbers that an engine has no loop for."""
    refused = (dtypes.bool_, dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32) if engine == TRANSPOSED \
        else (dtypes.bool_,)
    if engine in _LOOPS and dtype in refused:
        raise not_implemented(_LOOPS[engine].format(dimensions), dtype)


def format_of(input, weight, engine: int):
    """How the result lies in memory: channels last where they do in the input or in the weight."""
    if engine == EMPTY or (engine != LIBRARY and ndim_of(input) != 4):
        return contiguous_format
    suggested = suggested_format(input)
    return suggested if suggested is not contiguous_format else suggested_format(weight)


def of_library(shape, dtype, memory_format=contiguous_format, strided_back=False):
    """Memory for a result of oneDNN; what goes back over a stride comes with its channels last, and is copied."""
    if memory_format is not contiguous_format:
        return aten.resize_(empty((0,), dtype), shape, memory_format=memory_format)
    out = empty(shape, dtype)
    aten.as_strided_(out, shape, last_strides(shape) if strided_back else contiguous_strides(shape))
    if strided_back:
        out = in_format(out, contiguous_format)
    return aten.resize_(out, shape, memory_format=contiguous_format)


def goes_back_over_stride(steps: Steps) -> bool:
    """Whether oneDNN's loop for the gradient of an input is the one for strides."""
    return max(steps.stride) > 1 and max(steps.dilation) == 1 and steps.groups == 1


def as_plane(steps: Steps) -> Steps:
    """The steps of a line as those of an image of one row."""
    return Steps((1, *steps.stride), (0, *steps.padding), (1, *steps.dilation), steps.transposed,
                 (0, *steps.output_padding), steps.groups)


def compute(out, input, weight, bias, steps: Steps) -> None:
    """The work itself, whatever engine torch would take."""
    if steps.transposed:
        run.transposed_convolution(out, input, weight, bias, *steps.for_kernels())
    else:
        run.convolution(out, input, weight, bias, *steps.for_kernels())


def compute_input_grad(out, grad_output, weight, steps: Steps) -> None:
    """What the input is given back."""
    if steps.transposed:
        run.convolution(out, grad_output, weight, None, *steps.for_kernels())
    else:
        run.convolution_input_grad(out, grad_output, weight, *steps.for_kernels())


def compute_weight_grad(out, grad_output, input, steps: Steps) -> None:
    """What the weight is given back; in a transposed convolution the two images change places."""
    pair = (input, grad_output) if steps.transposed else (grad_output, input)
    run.convolution_weight_grad(out, *pair, *steps.for_kernels())


def lie_ready(input, weight, bias) -> bool:
    """Whether every engine would compute on these tensors as they are."""
    return (is_row_major(input) and is_row_major(weight) and (bias is None or is_row_major(bias))
            and not input.dtype.rare
            and suggested_format(input) is suggested_format(weight) is contiguous_format)  # one channel lies both ways


def _plane_of(line):
    """A line as a plane that is one element high; the step of a size of 1 may be any, which in_rows() does not read."""
    plane = in_rows(line, _as_planes(shape_of(line)))
    return aten.unsqueeze(line, 2) if plane is None else plane


def at_once(spec: Spec, input, weight, bias, steps: Steps):
    """A convolution that is neither transposed nor in groups, without the rows of its engine."""
    out = blank(spec.shape, spec.dtype)
    if len(spec.shape) == LINE_DIMS:
        planes = [_plane_of(t) for t in (out, input, weight)]
        compute(*planes, bias, as_plane(steps))
    else:
        compute(out, input, weight, bias, steps)
    return out


def forward(input, weight, bias, steps: Steps):
    """A convolution with the rows of its engine."""
    engine = engine_of(input, weight, steps)
    memory_format = format_of(input, weight, engine)
    is_line = ndim_of(input) == 3
    if engine == EMPTY:
        return _of_nothing(input, weight, bias, steps)
    if engine == LIBRARY:
        input, weight = in_format(input, memory_format), in_format(weight, memory_format)
        bias = None if bias is None else in_format(bias, contiguous_format)
    if is_line:
        input, weight, steps = aten.unsqueeze(input, 2), aten.unsqueeze(weight, 2), as_plane(steps)
    if engine == LIBRARY:
        out = _by_library(input, weight, bias, steps, memory_format)
    elif steps.groups == 1 or engine == VOLUME:  # whose own code knows groups
        out = _by_torch(engine, in_format(input, memory_format), weight, bias, steps)
    else:
        out = _group_by_group(engine, input, weight, bias, steps, memory_format)
    return aten.squeeze(out, 2) if is_line else out


def _of_nothing(input, weight, bias, steps: Steps):
    """Torch multiplies what is empty by a weight and adds a bias, so that both lead back."""
    out, shape = input, output_shape(shape_of(input), shape_of(weight), steps)
    if numel_of(weight):
        if channels_lie_last(weight):
            weight = aten.permute(weight, (0, *range(2, ndim_of(weight)), 1))
        out = aten.mul(input, aten.select(aten._unsafe_view(weight, (-1,)), 0, 0))
    if bias is not None:
        out = aten.add_(out, aten.select(bias, 0, 0))
    return aten.view(out, shape)


def _by_library(input, weight, bias, steps: Steps, memory_format):
    shape = output_shape(shape_of(input), shape_of(weight), steps)
    if memory_format is contiguous_format:
        empty((0,), input.dtype)
    out = of_library(shape, input.dtype, memory_format, steps.transposed and goes_back_over_stride(steps))
    compute(out, input, weight, bias, steps)
    return out


def _by_torch(engine, input, weight, bias, steps: Steps):
    """Torch's own code, which is ops (slow.py)."""
    kernel = shape_of(weight)[2:]
    if engine == SLOW:
        return aten.thnn_conv2d(input, weight, kernel, bias, steps.stride, steps.padding)
    if engine == VOLUME:
        return aten.slow_conv3d(input, weight, kernel, bias, steps.stride, steps.padding)
    if engine == DILATED:
        op = aten.slow_conv_dilated2d if len(kernel) == 2 else aten.slow_conv_dilated3d
        return op(input, weight, kernel, bias, steps.stride, steps.padding, steps.dilation)
    op = aten.slow_conv_transpose2d if len(kernel) == 2 else aten.slow_conv_transpose3d
    return op(input, weight, kernel, bias, steps.stride, steps.padding, steps.output_padding, steps.dilation)


def _group_by_group(engine, input, weight, bias, steps: Steps, memory_format):
    """Torch's own code knows no groups: each is cut out, and the results are put together."""
    one, parts = steps._replace(groups=1), []
    channels, outputs = [shape_of(t)[at] // steps.groups for t, at in ((input, 1), (weight, 0))]
    for group in range(steps.groups):
        x = in_format(aten.narrow(input, 1, group * channels, channels), memory_format)
        w = aten.narrow(weight, 0, group * outputs, outputs)
        per_group = shape_of(w)[1] if steps.transposed else outputs
        b = None if bias is None else aten.narrow(bias, 0, group * per_group, per_group)
        parts.append(_by_torch(engine, x, w, b, one))
    return aten.cat(parts, 1)
