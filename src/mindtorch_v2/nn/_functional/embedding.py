"""Tables looked up by number: rows one by one, or put together in bags."""

from __future__ import annotations

import warnings

from ...autograd.grad_mode import no_grad
from ...core.dtype import int64
from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten

_MODES = {"sum": 0, "mean": 1, "max": 2}


def _renorm(weight: Tensor, input: Tensor, max_norm: float, norm_type: float) -> None:
    """Cut the rows that are looked up to a length, unseen by autograd."""
    with no_grad():
        aten.embedding_renorm_(weight.detach(), input, max_norm, norm_type)


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
              norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False) -> Tensor:
    """Rows of a table by their numbers."""
    if asked(input, weight):
        return overridden(embedding, locals())
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= rows
    if max_norm is not None:
        input = input.contiguous()
        _renorm(weight, input, max_norm, norm_type)
    return aten.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None,
                  norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
                  per_sample_weights: Tensor | None = None, include_last_offset: bool = False,
                  padding_idx: int | None = None) -> Tensor:
    """Rows of a table by their numbers, put together bag by bag."""
    if asked(input, weight, offsets, per_sample_weights):
        return overridden(embedding_bag, locals())
    if weight.dtype is int64 and input.is_floating_point():
        warnings.warn("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, "
                      "...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.", stacklevel=2)
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must "
                         f"have the same shape as the input ({input.shape})")
    offsets = _offsets(input, offsets)
    if input.dim() == 2:
        include_last_offset = False
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        _renorm(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only "
                                  f"supported for mode='sum' (got mode='{mode}'). Please open a feature request on "
                                  "GitHub.")
    bags, _, _, _ = aten.embedding_bag(weight, input, offsets, scale_grad_by_freq, _MODES[mode], sparse,
                                       per_sample_weights, include_last_offset, padding_idx)
    return bags


def _offsets(input: Tensor, offsets: Tensor | None) -> Tensor:
    """Where bags begin: given for a list of indices, one a row for a table of them."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of "
                             f"fixed length sequences. However, found offsets of type {type(offsets)}")
        return aten.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
    if input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return offsets
