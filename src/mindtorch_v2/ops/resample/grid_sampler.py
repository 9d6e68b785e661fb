"""Images and volumes at the places of a grid."""

from __future__ import annotations

from ...core.dtype import FLOATING
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import IN_ORDER, in_order
from ..shared.not_differentiable import UNKNOWN, unknown
from ..shared.out_by_copy import declare_out_by_copy

NEAREST, CUBIC = 1, 2
MODES = "int interpolation_mode, int padding_mode, bool align_corners"


def _check(input, grid) -> None:
    """A place for every element of the result, in as many numbers as the input has dimensions."""
    shape, places = shape_of(input), shape_of(grid)
    if shape[:1] != places[:1]:
        raise RuntimeError("grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
                           f"{list(shape)} and grid with sizes {list(places)}")
    if places[-1] != len(shape) - 2:
        raise RuntimeError(f"grid_sampler(): expected grid to have size {len(shape) - 2} in last dimension, but got "
                           f"grid with sizes {list(places)}")
    for dim in range(2, len(shape)):
        if shape[dim] <= 0:
            raise RuntimeError("grid_sampler(): expected input to have non-empty spatial dimensions, but input has "
                               f"sizes {list(shape)} with dimension {dim} being empty")


def _check_rank(input, grid, rank: int) -> None:
    if ndim_of(input) != rank + 2 or ndim_of(input) != ndim_of(grid):
        raise RuntimeError(f"grid_sampler(): expected {rank + 2}D input and grid with same number of dimensions, but "
                           f"got input with sizes {list(shape_of(input))} and grid with sizes {list(shape_of(grid))}")


class GridSampler(Op):
    """The input at the places of a grid: of images or of volumes."""

    schema = f"grid_sampler(Tensor input, Tensor grid, {MODES}) -> Tensor"

    def body(input, grid, interpolation_mode, padding_mode, align_corners):
        _check(input, grid)
        op = aten.grid_sampler_2d if ndim_of(input) == 4 else aten.grid_sampler_3d
        return op(input, grid, interpolation_mode, padding_mode, align_corners)


def _check_types(input, grid, rank: int) -> None:
    loop = "grid_sampler_2d_cpu_kernel_impl" if rank == 2 else "grid_sampler3d_cpu"
    if input.dtype.category != FLOATING:
        raise not_implemented(loop, input.dtype)
    if input.dtype is not grid.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.short} but found {grid.dtype.short}")


def _declare(rank: int) -> None:
    """Sampling in so many dimensions, and its gradients."""
    name = f"grid_sampler_{rank}d"

    def meta(input, grid, interpolation_mode, padding_mode, align_corners):
        _check(input, grid)
        _check_rank(input, grid, rank)
        if rank == 3 and interpolation_mode == CUBIC:
            raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
        return Spec((*shape_of(input)[:2], *shape_of(grid)[1:-1]), input.dtype)

    def body(input, grid, *modes):
        _check_types(input, grid, rank)
        out = aten.empty((*shape_of(input)[:2], *shape_of(grid)[1:-1]), dtype=input.dtype)
        run.sample_grid(out, input, grid, *modes)
        return out

    def grads(grad, input, grid, interpolation_mode, padding_mode, align_corners, needs):
        return getattr(aten, f"{name}_backward")(grad, input, grid, interpolation_mode, padding_mode, align_corners,
                                                 needs)

    def backward_meta(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask):
        _check(input, grid)
        _check_rank(input, grid, rank)
        to_grid = Spec(shape_of(grid), grid.dtype)
        return (Spec(shape_of(input), input.dtype) if output_mask[0] else None), to_grid

    def backward(grad_output, input, grid, interpolation_mode, padding_mode, align_corners, output_mask):
        to_input = aten.zeros_like(input, memory_format=IN_ORDER) if output_mask[0] else None
        to_grid = aten.empty_like(grid, memory_format=IN_ORDER)
        grad = in_order(grad_output) if rank == 2 else grad_output
        run.sample_grid_backward(to_input, to_grid, grad, input, grid, interpolation_mode, padding_mode, align_corners)
        return to_input, to_grid

    def second(grads, grad_output, input, grid, interpolation_mode, padding_mode, align_corners, needs):
        modes = (interpolation_mode, padding_mode, align_corners)
        by_input, by_grid = grads
        answers = [None, None, None]
        if by_input is not None:
            if needs[0]:
                answers[0] = getattr(aten, name)(by_input, grid, *modes)
            if needs[2]:
                answers[2] = getattr(aten, f"{name}_backward")(grad_output, by_input, grid, *modes, (False, True))[1]
        if by_grid is not None and interpolation_mode != NEAREST:
            more = aten._grid_sampler_second(by_grid, grad_output, input, grid, *modes)
            answers = [b if a is None else aten.add(a, b) for a, b in zip(answers, more)]
        return [answer if needed else None for answer, needed in zip(answers, needs)]

    node = f"GridSampler{rank}DBackward"
    params = f"Tensor input, Tensor grid, {MODES}"
    sampling = declare(f"{name}({params}) -> Tensor", "The input at the places of a grid.", meta=meta, body=body,
                       grads=grads, node=f"{node}0")
    declare_out_by_copy(sampling.op)
    declare(f"{name}_backward(Tensor grad_output, {params}, bool[2] output_mask) -> (Tensor, Tensor)",
            f"The gradients of {name}(); that of the grid is made in any case.", meta=backward_meta, body=backward,
            internal="a derivative", node=f"{node}Backward0", grads=second)


for _rank in (2, 3):
    _declare(_rank)


class GridSamplerSecond(Op):
    """The gradients of the grid's gradient, which changes so; torch composes them of many small ops."""

    schema = (f"_grid_sampler_second(Tensor change, Tensor grad_output, Tensor input, Tensor grid, {MODES}) -> "
              "(Tensor, Tensor, Tensor)")
    internal = "a derivative"
    node = UNKNOWN
    grads = unknown("_grid_sampler_second")

    def meta(change, grad_output, input, grid, interpolation_mode, padding_mode, align_corners):
        return tuple([Spec(shape_of(t), input.dtype) for t in (grad_output, input, grid)])

    def into(to_grad, to_input, to_grid, change, grad_output, input, grid, *modes):
        run.sample_grid_second(to_grad, to_input, to_grid, change, grad_output, input, grid, *modes)
