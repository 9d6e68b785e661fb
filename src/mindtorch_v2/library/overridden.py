"""torch's own ops with functions of the user's in their place, until their library is gone."""

from __future__ import annotations

from collections.abc import Callable

from ..dispatch import python_dispatch
from ..dispatch.aten import aten
from ..dispatch.dispatcher import call
from ..opdef import table
from ..opdef.form import overload_out
from ..opdef.operator import BODY, NO_CHECK, NOT_POINTWISE, Operator
from .definition import fallthrough_kernel
from .keys import AUTOGRAD, BACKEND, IMPLICIT

# What says how an op does its work: all of it is put aside, and brought back.
_WORK = ("how", "work", "loop", "ufunc", "meta", "pointwise", "checks", "takes_out", "composite")


class Override:
    """A function in the place of an op's own kernel, or above autograd in the place of the whole op."""

    def __init__(self, op: Operator, function: Callable, key: str):
        self.op = op
        self.before = {name: getattr(op, name) for name in _WORK}
        if key in BACKEND:
            work = through_out(op) if function is fallthrough_kernel else self._calling(function)
            op.how, op.work, op.pointwise = BODY, work, NOT_POINTWISE
            op.loop = op.ufunc = op.meta = None
            op.checks, op.takes_out = NO_CHECK, False
        elif key in (*AUTOGRAD, IMPLICIT) and function is not fallthrough_kernel:
            op.composite, op.work = True, self._calling(function)

    def _calling(self, function: Callable) -> Callable:
        def work(*args):
            positional, by_name = python_dispatch.given(self.op, args)
            return function(*positional, **by_name)
        return work

    def forget(self) -> None:
        """Bring the op's own kernel back."""
        for name, value in self.before.items():
            setattr(self.op, name, value)


def through_out(op: Operator) -> Callable:
    """How an op without a kernel for the device works in torch: it makes room, and its ``out=`` form fills it."""
    try:
        filling = table.find(op.name, overload_out(op.overload))
    except LookupError:
        raise NotImplementedError(f"{op.event}.{op.overload} has no out= form, so that nothing answers for it where "
                                  "its own kernel is passed over") from None
    meta = op.form["meta"]

    def work(*args):
        spec = meta(*args)
        out = aten.empty(spec.shape, dtype=spec.dtype)
        return call(filling, (*args, out))

    return work
