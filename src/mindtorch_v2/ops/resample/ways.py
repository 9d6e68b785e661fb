# cython: annotation_typing=False
"""How each kind of resampling goes: torch's loops for a type and a layout, the rows they show, and our kernel."""

from __future__ import annotations

from ...core.device import channels_last, channels_last_3d, contiguous_format
from ...core.dtype import FLOATING, float32, float64, uint8
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.kernel_types import not_implemented
from ...threads import get_num_threads
from ..shared.memory_format import lies_in, through_format
from . import tables

SMALL_RESULT = 128  # height and width together, up to which torch takes its loop over channels that lie last
MANY_CHANNELS, COLOURS = 4, 3
LAST = {2: channels_last, 3: channels_last_3d}
WHOLE_FLOATS = (float32, float64)


def _is_floating(dtype) -> bool:
    return dtype.category == FLOATING


def _refuse_unless(can: bool, loop: str, dtype) -> None:
    if not can:
        raise not_implemented(loop, dtype)


class Way:
    """A kind of resampling, forward and back."""

    kernel: str
    doc: str
    taps: int  # inputs that count for an output, along a dimension
    has_corners = True

    def forward(self, out, x, align_corners: bool, scales: tuple[float, ...]) -> None:
        """``x`` resampled into ``out``."""
        raise NotImplementedError

    def backward(self, out, grad, align_corners: bool, scales: tuple[float, ...]) -> None:
        """The gradient of the result, gathered in ``out``."""
        raise NotImplementedError

    def run(self, out, x, align_corners, scales) -> None:
        rest = (align_corners, scales) if self.has_corners else (scales,)
        getattr(run, self.kernel)(out, x, *rest)

    def run_by_tables(self, out, x, align_corners, scales) -> None:
        """The same where torch keeps tables, whose weights are of the type of the elements."""
        kept = None if dispatcher.is_unobserved() else tables.show_taps(out, x, self.taps)
        if self.taps > 1 and x.dtype not in WHOLE_FLOATS:
            run.upsample_halves(out, x, self.kernel, align_corners, scales)
        elif self.taps == 1 and x.dtype is float64:
            run.upsample_doubles(out, x, self.kernel, scales)
        else:
            self.run(out, x, align_corners, scales)
        del kept

    def run_back(self, out, grad, align_corners, scales) -> None:
        rest = (align_corners, scales) if self.has_corners else (scales,)
        getattr(run, f"{self.kernel}_backward")(out, grad, *rest)


class _ByLayout(Way):
    """torch has a loop of its own over channels that lie last, for all small images, and one with tables."""

    rank: int
    name: str  # of the loops, in torch's complaints
    name_back: str
    tables: str

    def takes(self, dtype) -> bool:
        return _is_floating(dtype)

    def goes_last(self, out, x) -> bool:
        """Torch's choice; a line has no such loop."""
        if self.rank == 1:
            return False
        if shape_of(x)[1] >= MANY_CHANNELS and lies_in(x, LAST[self.rank]):
            return True
        return self.rank == 2 and sum(shape_of(out)[2:]) <= SMALL_RESULT

    def seen(self, x_shape, out_shape, scales):
        """The factors that count in the loop over channels, and going back."""
        return scales

    def forward(self, out, x, align_corners, scales) -> None:
        if self.goes_last(out, x):
            _refuse_unless(self.takes(x.dtype), f"{self.name}_channels_last", x.dtype)
            scales = self.seen(shape_of(x), shape_of(out), scales)
            if self.taps == 1 and dispatcher.is_unobserved():  # copies of elements are the same from any layout
                self.run(out, x, align_corners, scales)
            else:
                through_format(LAST[self.rank], self.run, out, x, align_corners, scales)
        else:
            _refuse_unless(self.takes(x.dtype), self.tables, x.dtype)
            self.run_by_tables(out, x, align_corners, scales)

    def backward(self, out, grad, align_corners, scales) -> None:
        last = self.rank > 1 and lies_in(grad, LAST[self.rank])
        _refuse_unless(_is_floating(grad.dtype), f"{self.name_back}_backward{'_channels_last' * last}", grad.dtype)
        scales = self.seen(shape_of(out), shape_of(grad), scales)
        through_format(LAST[self.rank] if last else contiguous_format, self.run_back, out, grad, align_corners, scales)


class Nearest(_ByLayout):
    """Each output is the input that it falls into."""

    has_corners = False
    taps = 1
    tables = "compute_indices_weights_nearest"

    def __init__(self, kernel: str, rank: int):
        self.kernel, self.rank, self.name, self.name_back = kernel, rank, f"upsample_nearest{rank}d", f"{kernel}{rank}d"
        self.doc = "The nearest of the input's elements."
        if kernel == "upsample_nearest_exact":
            self.name_back, self.doc = f"_{self.name_back}", "The nearest of the input's elements, by centres."

    def takes(self, dtype) -> bool:
        return _is_floating(dtype) or dtype is uint8

    def seen(self, x_shape, out_shape, scales):
        """torch overlooks a given factor where the sizes have one of one or two."""
        if self.kernel != "upsample_nearest":
            return scales
        return tuple([0.0 if count in (size, 2 * size) else scale
                      for size, count, scale in zip(x_shape[2:], out_shape[2:], scales)])


class Linear(_ByLayout):
    """A mix of the two inputs beside the output, along each dimension."""

    kernel = "upsample_linear"
    taps = 2
    tables = "compute_indices_weights_linear"

    def __init__(self, word: str, rank: int):
        self.rank = rank
        self.name = self.name_back = f"upsample_{word}{rank}d"
        self.doc = "A mix of the two elements beside each place, along each dimension."

    def goes_last(self, out, x) -> bool:
        is_picture = self.rank == 2 and shape_of(x)[1] == COLOURS
        return super().goes_last(out, x) or (is_picture and get_num_threads() == 1)

    def forward(self, out, x, align_corners, scales) -> None:
        if self.rank == 2 and x.dtype is uint8:
            _resample_bytes(self.kernel, out, x, align_corners, scales, [self.taps] * 2)
        else:
            super().forward(out, x, align_corners, scales)


class Cubic(Way):
    """A mix of the four inputs around the output, along each dimension."""

    kernel = "upsample_cubic"
    taps = 4
    doc = "A mix of the four elements around each place, along each dimension, by a cubic."

    def forward(self, out, x, align_corners, scales) -> None:
        if x.dtype is uint8:
            _resample_bytes(self.kernel, out, x, align_corners, scales, [self.taps] * 2)
            return
        _refuse_unless(_is_floating(x.dtype), "compute_indices_weights_cubic", x.dtype)
        self.run_by_tables(out, x, align_corners, scales)

    def backward(self, out, grad, align_corners, scales) -> None:
        _refuse_unless(_is_floating(grad.dtype), "upsample_bicubic2d_backward", grad.dtype)
        through_format(contiguous_format, self.run_back, out, grad, align_corners, scales)


class Smooth(Way):
    """A mix of everything that an output stands for (antialias)."""

    def __init__(self, word: str, kernel: str, reach: int):
        self.kernel, self.reach, self.name = kernel, reach, f"upsample_{word}2d_aa"
        self.doc = "A mix of all elements that a place stands for, weighed by a kernel as wide as that."

    def forward(self, out, x, align_corners, scales) -> None:
        taps = [tables.taps_along(self.reach, size, count, align_corners, scale)
                for size, count, scale in zip(shape_of(x)[2:], shape_of(out)[2:], scales)]
        if x.dtype is uint8:
            _resample_bytes(self.kernel, out, x, align_corners, scales, taps)
        elif shape_of(x) == shape_of(out):
            aten.copy_(out, x)
        else:
            _refuse_unless(x.dtype in WHOLE_FLOATS, "compute_index_ranges_weights", x.dtype)
            tables.show_passes(out, x, taps, x.dtype)
            self.run(out, x, align_corners, scales)

    def backward(self, out, grad, align_corners, scales) -> None:
        _refuse_unless(grad.dtype in WHOLE_FLOATS, f"{self.name}_backward_cpu", grad.dtype)
        through_format(contiguous_format, self.run_back, out, grad, align_corners, scales)


def _resample_bytes(kernel: str, out, x, align_corners, scales, taps: list[int]) -> None:
    """Images of bytes, in whole numbers."""
    if shape_of(x) == shape_of(out):
        aten.copy_(out, x)
        return
    if shape_of(x)[1] > tables.PACKED:
        tables.show_passes(out, x, taps, float64)
    else:
        if not (lies_in(x, contiguous_format) or lies_in(x, channels_last)):
            x = aten.contiguous(x, memory_format=channels_last)
        tables.show_packed_passes(out, x, taps, (lies_in(x, channels_last), lies_in(out, channels_last)))
    run.upsample_bytes(out, x, kernel, align_corners, scales)
