"""Tangents through a custom Function: its ``jvp``, and torch's complaints about what that returns."""

from __future__ import annotations

from ..core import forward_levels
from ..core.dtype import FLOATING
from ..core.slots import Work
from ..core.tensor import Tensor
from .tangents import levels_of, set_tangent, tangent_at, write_tangent

VIEW = "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view."
OF_GIVEN = "A custom Function is returning a view but the jvp is not returning a view of the given grad input."
OF_SAME_BASE = ("A custom Function is returning a view but the jvp is not returning a view of the same base as the "
                "given grad input.")
NOT_IN_PLACE = ("An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is "
                "modifying an input inplace, then the jvp function must modify the corresponding gradient inplace.")
NOT_AS_IS = ("An inplace custom Function is not returning the forward mode gradients as-is. If the forward is "
             "modifying an input inplace, then the jvp function must modify the gradient inplace and return it as-is.")


def levels_among(args: tuple) -> list[int]:
    """The levels at which any argument has a tangent."""
    if not forward_levels.depth():
        return []
    return sorted({level for arg in args if isinstance(arg, Tensor) for level in levels_of(arg)})


def carry(ctx, args: tuple, outputs: list, levels: list[int]) -> None:
    """Give the outputs of a Function the tangents that its ``jvp`` says."""
    for level in levels:
        given = [tangent_at(arg, level) if isinstance(arg, Tensor) else None for arg in args]
        versions = [None if tangent is None else tangent._version for tangent in given]
        with forward_levels.below(level):
            tangents = ctx.function.jvp(ctx, *[_materialized(ctx, *pair) for pair in zip(args, given)])
        tangents = tangents if isinstance(tangents, tuple) else (tangents,)
        if len(tangents) != len(outputs):
            raise RuntimeError(f"Function's jvp returned an invalid number of forward gradients (expected "
                               f"{len(outputs)} but got {len(tangents)})")
        for number, (output, tangent) in enumerate(zip(outputs, tangents)):
            if not isinstance(output, Tensor):
                continue
            if output.dtype.category < FLOATING or any(output is t for t in ctx.not_differentiable):
                if tangent is not None:
                    raise RuntimeError(f"Function's jvp returned a gradient at position {number}, but  the "
                                       "corresponding forward output is not a differentiable Tensor."
                                       "You should return None at that position instead.")
            elif tangent is not None:
                _give(ctx, output, tangent, level, list(zip(args, given, versions)))


def _materialized(ctx, arg, tangent: Tensor | None) -> Tensor | None:
    """A missing tangent of what could have one is zeros, unless the Function does not want that."""
    if tangent is None and ctx.materialize and isinstance(arg, Tensor) and arg.dtype.category >= FLOATING:
        return Work.zeros_like(arg)
    return tangent


def _give(ctx, output: Tensor, tangent: Tensor, level: int, inputs: list[tuple]) -> None:
    if any(output is t for t in ctx.dirty):
        before, version = next((pair for arg, *pair in inputs if arg is output), (None, None))
        if before is None:
            write_tangent(output, level, tangent)
        elif tangent._version == version:
            raise RuntimeError(NOT_IN_PLACE)
        elif tangent is not before:
            raise RuntimeError(NOT_AS_IS)
        return
    base = output._mt_base
    matching = next((pair for pair in inputs if base is not None and isinstance(pair[0], Tensor)
                     and (pair[0] is base or pair[0]._mt_base is base)), None)
    if matching is not None and matching[1] is None:
        write_tangent(output, level, tangent)
        return
    if matching is not None:
        _check_view(tangent, matching[1])
    set_tangent(output, level, tangent)


def _check_view(tangent: Tensor, given: Tensor) -> None:
    if tangent._mt_base is None:
        raise RuntimeError(VIEW)
    if given._mt_base is None and tangent._mt_base is not given:
        raise RuntimeError(OF_GIVEN)
    if given._mt_base is not None and tangent._mt_base is not given._mt_base:
        raise RuntimeError(OF_SAME_BASE)
