"""torch.autograd.forward_ad: tensors with tangents, and the level at which they have them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..core import forward_levels
from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..core.slots import Work
from ..core.tensor import Tensor, alias_of
from .grad_mode import Switch
from .tangents import copy_tangents, set_tangent, tangent_at, tangent_of

__all__ = ["UnpackedDualTensor", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual", "dual_level"]

_current_level = -1


def enter_dual_level() -> int:
    """Begin a level of forward-mode derivatives."""
    global _current_level
    if forward_levels.depth():
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _current_level = forward_levels.enter()
    return _current_level


def exit_dual_level(*, level: int | None = None) -> None:
    """End the latest level, and drop all tangents that there are at it."""
    global _current_level
    level = _current_level if level is None else level
    if level != _current_level:
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. This is not "
                           "supported.")
    if level < 0:
        raise RuntimeError("Dual level must be a positive number.")
    forward_levels.leave()
    _current_level = level - 1


class dual_level(Switch):  # noqa: N801  torch's name
    """A level of forward-mode derivatives, for the length of a block."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *_) -> None:
        exit_dual_level()


@contextmanager
def nested_level() -> Iterator[int]:
    """A level inside of whatever levels there are, as torch.func.jvp has one."""
    global _current_level
    before = _current_level
    _current_level = level = forward_levels.enter()
    try:
        yield level
    finally:
        forward_levels.leave()
        _current_level = before


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of a tensor that has a tangent; what is computed from it has tangents too."""
    level = _current_level if level is None else level
    if level < 0:
        raise RuntimeError("Trying to create a dual Tensor for forward AD but no level exists, make sure to "
                           "enter_dual_level() first.")
    for name, value in (("primal", tensor), ("tangent", tangent)):
        if not (value.is_floating_point() or value.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {value.dtype}")
    return dual_at(tensor, tangent, level)


def dual_at(tensor: Tensor, tangent: Tensor, level: int) -> Tensor:
    """The same at any level that is entered."""
    if not forward_levels.is_enabled():
        return alias_of(tensor)
    if tangent_at(tensor, level) is not None:
        raise RuntimeError("Making a dual Tensor based on a Tensor that already has a forward gradient at the same "
                           f"level {level} is not supported.")
    with forward_levels.below(0):
        dual = Work.view_as(tensor, tensor)
    copy_tangents(tensor, dual)
    set_tangent(dual, level, tangent)
    return dual


class UnpackedDualTensor(NamedTuple):
    """A tensor without its tangent, and the tangent."""

    primal: Tensor
    tangent: Tensor | None


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """A view of a tensor without its tangent, and the tangent, or None if it has none."""
    level = _current_level if level is None else level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    return unpacked_at(tensor, level)


def unpacked_at(tensor: Tensor, level: int) -> UnpackedDualTensor:
    """The same at any level that is entered."""
    return UnpackedDualTensor(unpacked_from(tensor, [level]), tangent_of(tensor, level))


def unpacked_from(tensor: Tensor, levels: list[int]) -> Tensor:
    """A view of a tensor without its tangents at some levels."""
    with forward_levels.below(0):
        primal = Work.view_as(tensor, tensor)
    copy_tangents(tensor, primal, without=levels)
    return primal


_is_fwd_grad_enabled = forward_levels.is_enabled


class _set_fwd_grad_enabled(Switch):  # noqa: N801  torch's name
    """Let tangents travel through ops, or not, until the block ends."""

    def __init__(self, mode: bool):
        self.mode = mode
        self.prev = forward_levels.set_enabled(mode)

    def __call__(self, function):
        forward_levels.set_enabled(self.prev)
        return super().__call__(function)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_) -> None:
        forward_levels.set_enabled(self.prev)

    def clone(self):
        return _set_fwd_grad_enabled(self.mode)


_answer_for_missing(__name__)
