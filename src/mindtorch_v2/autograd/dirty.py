"""What a Function may write in place: inputs that it returns, and views only where autograd can follow."""

from __future__ import annotations

import warnings

from ..core.fields import node_of
from ..core.tensor import Tensor
from . import view_kinds

NOT_RETURNED = ("Some elements marked as dirty during the forward method were not returned as output. The inputs that "
                "are modified inplace must all be outputs of the Function.")
NO_INPUT = ("ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated "
            "should be passed to ctx.mark_dirty().")
SEVERAL = ("If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return "
           "more than one Tensor. This is not supported by the current autograd engine. You should either make sure "
           "the input is not a view (using .clone() for example) or make your Function only return one Tensor "
           "(potentially splitting it into two Functions: one doing the inplace that returns a single Tensor and a "
           "second one that does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you "
           "need help to do this change.")


def check(dirty: tuple, inputs: list[Tensor], outputs: tuple, needs: bool) -> None:
    """Refuse what a Function marked as written, if autograd can't follow; ``needs``: whether anybody asks."""
    for tensor in dirty:
        if not any(tensor is out for out in outputs):
            raise RuntimeError(NOT_RETURNED)
        if not any(tensor is given for given in inputs):
            if tensor._mt_base is not None:
                raise RuntimeError(NO_INPUT)
            warnings.warn(NO_INPUT, stacklevel=4)
        if needs:
            _check_history(tensor, sum(isinstance(out, Tensor) for out in outputs))


def _check_history(tensor: Tensor, returned: int) -> None:
    if tensor._mt_requires and node_of(tensor) is None:
        raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
    base = tensor._mt_base
    if base is None:
        return
    if tensor._mt_view_kind:
        raise view_kinds.refusal(tensor, view_kinds.WRITTEN)
    if base._mt_requires and node_of(base) is None:
        raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if returned > 1:
        raise RuntimeError(SEVERAL)
