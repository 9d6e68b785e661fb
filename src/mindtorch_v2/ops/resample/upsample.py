# cython: annotation_typing=False
"""Signals, images and volumes of another size: the nearest elements, or a mix of those around each output."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.tensor import shape_of
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import declare
from ...opdef.rules import Spec
from ..shared.memory_format import strides_in, suggested_format
from ..shared.out_by_copy import declare_out_by_copy
from . import sizes, ways

SCALES = {1: ("scales",), 2: ("scales_h", "scales_w"), 3: ("scales_d", "scales_h", "scales_w")}
# torch's name, dimensions, how it goes and how it goes back; whether a gradient lies in memory as it came
UPSAMPLINGS = [
    *[(f"upsample_nearest{rank}d", rank, ways.Nearest("upsample_nearest", rank), rank == 2) for rank in (1, 2, 3)],
    *[(f"_upsample_nearest_exact{rank}d", rank, ways.Nearest("upsample_nearest_exact", rank), rank == 2)
      for rank in (1, 2, 3)],
    ("upsample_linear1d", 1, ways.Linear("linear", 1), False),
    ("upsample_bilinear2d", 2, ways.Linear("bilinear", 2), True),
    ("upsample_trilinear3d", 3, ways.Linear("trilinear", 3), True),
    ("upsample_bicubic2d", 2, ways.Cubic(), False),
    ("_upsample_bilinear2d_aa", 2, ways.Smooth("bilinear", "upsample_linear_smooth", 1), True),
    ("_upsample_bicubic2d_aa", 2, ways.Smooth("bicubic", "upsample_cubic_smooth", 2), True),
    ("_upsample_lanczos2d_aa", 2, ways.Smooth("lanczos", "upsample_lanczos_smooth", 3), False),
]
WITH_VEC_OUT = ("upsample_nearest2d", "upsample_bilinear2d")


def _node(name: str) -> str:
    """torch's name for a node, up to the word Backward."""
    return "".join([part.capitalize() for part in name.split("_")]).replace("1d", "1D").replace("2d", "2D").replace(
        "3d", "3D")


def _takes(names: tuple[str, ...], function):
    """A formula that is given its values in this order."""
    function.takes = names
    return function


def _factors(scales) -> tuple[float, ...]:
    return tuple([scale or 0.0 for scale in scales])


def _declare(name: str, rank: int, way: ways.Way, keeps_format: bool) -> None:
    """An op, its form for sizes or factors, its gradient, and what they write into."""
    corners = ("align_corners",) if way.has_corners else ()
    asked = "bool align_corners, " if way.has_corners else ""
    optional = ", ".join([f"float? {word}=None" for word in SCALES[rank]])
    node = _node(name)

    def meta(self, output_size, *rest):
        shape = sizes.resampled_shape(rank, shape_of(self), output_size)
        sizes.check_filled(rank, shape_of(self))
        return Spec(shape, self.dtype, strides_in(shape, suggested_format(self)))

    def into(out, self, output_size, *rest):
        way.forward(out, self, rest[0] if corners else False, _factors(rest[len(corners):]))

    def grad_self(grad, self_shape, output_size, *rest):
        return getattr(aten, f"{name}_backward")(grad, output_size, self_shape, *rest)

    def vec_body(input, output_size, *rest):
        size = sizes.output_size_of(rank, shape_of(input), output_size, rest[-1])
        return dispatcher.call(forward.op, (input, size, *rest[:-1], *(rest[-1] or (None,) * rank)))

    def backward_meta(grad_output, output_size, input_size, *rest):
        sizes.check_gradient(rank, grad_output, sizes.resampled_shape(rank, input_size, output_size))
        memory_format = suggested_format(grad_output) if keeps_format else contiguous_format
        return Spec(tuple(input_size), grad_output.dtype, strides_in(tuple(input_size), memory_format))

    def backward_into(out, grad_output, output_size, input_size, *rest):
        aten.zero_(out)
        way.backward(out, grad_output, rest[0] if corners else False, _factors(rest[len(corners):]))

    def grad_grad_output(grad, output_size, *rest):
        return dispatcher.call(forward.op, (grad, output_size, *rest))

    rest = (*corners, *SCALES[rank])
    internal = "torch.nn.functional"
    vec = f"Tensor input, SymInt[]? output_size, {asked}float[]? scale_factors"
    vectors = declare(f"{name}.vec({vec}) -> Tensor", way.doc, body=vec_body, internal=internal)
    forward = declare(f"{name}(Tensor self, SymInt[{rank}] output_size, {asked}{optional}) -> Tensor", way.doc,
                      meta=meta, into=into, node=f"{node}Backward0", internal=internal, variants="out",
                      grad_self=_takes(("grad", "self_shape", "output_size", *rest), grad_self))
    back = (f"Tensor grad_output, SymInt[{rank}] output_size, SymInt[{rank + 2}] input_size, {asked}{optional}")
    shared = {"meta": backward_meta, "into": backward_into, "internal": "a derivative"}
    declare(f"{name}_backward({back}) -> Tensor", f"The gradient of {name}().", node=f"{node}BackwardBackward0",
            grad_grad_output=_takes(("grad", "output_size", *rest), grad_grad_output), **shared)
    declare(f"{name}_backward.grad_input({back}, *, Tensor(a!) grad_input) -> Tensor(a!)",
            f"The gradient of {name}(), written into a given tensor.", **shared)
    if name in WITH_VEC_OUT:
        declare_out_by_copy(vectors.op, "vec_out", differentiable=True)


for _row in UPSAMPLINGS:
    _declare(*_row)
