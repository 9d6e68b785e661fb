"""What vmap refuses, in torch's words."""

from __future__ import annotations

from . import batch_levels, dispatcher
from .batch_call import Call
from .batch_loop import DYNAMIC, full_name

_ITEM = ("vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a "
         "Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere "
         "inside PyTorch internals, please file a bug report.")
_SCALAR = ("vmap: It looks like you're either (1) calling .item() on a Tensor or (2) attempting to use a Tensor in "
           "some data-dependent control flow or (3) encountering this error in PyTorch internals. For (1): we don't "
           "support vmap over calling .item() on a Tensor, please try to rewrite what you're doing with other "
           "operations. For (2): we don't support data-dependent control flow in vmap yet, please file an issue at "
           "https://github.com/pytorch/pytorch/issues . For (3): please file an issue.")
_CONTROL = ("vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't "
            "support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .")
_ALLCLOSE = ("vmap over torch.allclose isn't supported yet. Please file an issue at "
             "https://github.com/pytorch/pytorch/issues if you need this feature.")


def refusal(text: str):
    """A rule that raises; the name of the op stands where the text has {}."""
    def rule(call: Call):
        raise RuntimeError(text.format(full_name(call.op)))
    return rule


def equal(call: Call):
    """``equal`` has one answer for all members only where an op checks what it was given."""
    if not batch_levels.is_making():
        raise RuntimeError(f"Batching rule not implemented for {full_name(call.op)}. We could not generate a fallback.")
    return dispatcher.call(call.op, tuple(call.mapped(call.full)))


out_form = refusal("Batching rule not implemented for {}; the fallback path doesn't work on out= or view ops.")
RULES = {
    "item": refusal(_ITEM), "_local_scalar_dense": refusal(_SCALAR), "is_nonzero": refusal(_CONTROL),
    "allclose": refusal(_ALLCLOSE), "equal": equal,
    **{name: refusal(DYNAMIC) for name in ("nonzero", "unique_dim", "unique_consecutive", "unique_dim_consecutive",
                                           "_unique", "_unique2", "nonzero_numpy", "argwhere")},
    "where.": refusal(DYNAMIC),
    **{name: out_form for name in ("resize_", "resize_as_", "set_", "set", "resize", "resize_as", "set_data",
                                   "coalesce")},
}
