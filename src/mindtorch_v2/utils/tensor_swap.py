"""swap_tensors: two tensor objects trade everything that they hold."""

from __future__ import annotations

import copyreg
import weakref

from ..core.tensor import Tensor, take_over

_HELD = ("_mt_grad", "_mt_hooks", "_mt_is_number", "_mt_retains", "_mt_identity", "_mt_tangents", "_mt_asked")


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Trade data, history, gradients, classes and attributes of two tensors; whoever holds one then holds the other."""
    if t1 is t2:
        return
    if set(copyreg._slotnames(type(t1))) != set(copyreg._slotnames(type(t2))):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    accumulators = t1._mt_accumulator, t2._mt_accumulator
    t1._mt_accumulator = t2._mt_accumulator = None  # they know their tensor, and are made anew
    names = ("t1", "t2")
    held = [name for name, tensor, accumulator in zip(names, (t1, t2), accumulators, strict=True)
            if len(weakref.getweakrefs(tensor)) > (accumulator is not None)]
    if held:
        t1._mt_accumulator, t2._mt_accumulator = accumulators
        raise RuntimeError(f"Cannot swap {held[0]} because it has weakref associated with it")
    between = Tensor.__new__(Tensor)
    for target, source in ((between, t1), (t1, t2), (t2, between)):
        take_over(target, source)
        for name in _HELD:
            setattr(target, name, getattr(source, name))
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    attributes, others = dict(vars(t1)), dict(vars(t2))
    for tensor, ours in ((t1, others), (t2, attributes)):
        vars(tensor).clear()
        vars(tensor).update(ours)
