"""The Jacobian of a function by tangents, all columns at once: the strategy "forward-mode"."""

from __future__ import annotations

from collections.abc import Callable

from ..core.slots import Work
from ..core.tensor import Tensor
from . import forward_ad
from .api import answer_for_their_ops, each_alone
from .functional_checks import OUTPUTS, as_tuple


def forward_jacobian(func: Callable, inputs, basis_of: Callable, strict: bool, vectorize: bool):
    """What torch.autograd.functional.jacobian computes; ``basis_of`` makes the unit vectors of several tensors."""
    if strict:
        raise RuntimeError('torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not '
                           'supported together (yet). Please either set `strict=False` or `strategy="reverse-mode"`.')
    in_tuple, inputs = as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError("Computing Jacobian using forward-AD or forward-over-reverse Hessian is"
                                  "only implemented for `vectorize=True`.")
    numels = [t.numel() for t in inputs]
    out_tuple = False

    def column(*tangents: Tensor) -> tuple[Tensor, ...]:
        nonlocal out_tuple
        with forward_ad.nested_level() as level:
            duals = [forward_ad.make_dual(t, tangent) for t, tangent in zip(inputs, tangents)]
            out_tuple, outputs = as_tuple(func(*duals), OUTPUTS, "jacobian")
            pairs = [forward_ad.unpacked_at(out, level) for out in outputs]
        return tuple([Work.zeros_like(primal) if tangent is None else tangent for primal, tangent in pairs])

    units = [unit.reshape((sum(numels), *t.shape)) for unit, t in zip(basis_of(inputs, numels), inputs)]
    jacobians = []
    mapped = each_alone if answer_for_their_ops(*inputs) else Work.vmap
    for columns in mapped(column)(*units):
        parts = columns.permute(*range(1, columns.ndim), 0).split(numels, -1)
        row = tuple(part.reshape((*columns.shape[1:], *t.shape)) for part, t in zip(parts, inputs))
        jacobians.append(row if in_tuple else row[0])
    return tuple(jacobians) if out_tuple else jacobians[0]
