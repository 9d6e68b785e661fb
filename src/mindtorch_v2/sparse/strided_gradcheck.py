"""as_sparse_gradcheck: gradcheck for functions of sparse tensors, told to it as functions of their values."""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..api.functions import torch
from ..core.sparse import is_compressed, is_sparse
from ..core.tensor import Tensor


def as_sparse_gradcheck(gradcheck: Callable) -> Callable:
    """gradcheck that also takes sparse inputs and results; the one given sees dense tensors alone."""
    @functools.wraps(gradcheck)
    def check(func: Callable, inputs, **kwargs):
        masked = kwargs.pop("masked", False)
        given = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        makers, values = zip(*[_taken_apart(value, masked) for value in given])

        def of_values(*parts):
            results = func(*[make(part) for make, part in zip(makers, parts)])
            if isinstance(results, (list, tuple)):
                return tuple(_dense(result, masked) for result in results)
            return _dense(results, masked)
        return gradcheck(of_values, tuple(values), **kwargs)
    return check


def _dense(result, masked: bool):
    learns = isinstance(result, Tensor) and is_sparse(result) and result.requires_grad
    return result.to_dense(masked_grad=masked) if learns else result


def _taken_apart(value, masked: bool) -> tuple[Callable, object]:
    """An input that learns as a function of its values, and these; any other as it is."""
    if not (isinstance(value, Tensor) and is_sparse(value) and value.requires_grad):
        return (lambda part: part), value
    tensor = value.detach()
    kind = tensor._mt_kind
    blocksize = (kind.blocksize or None) if is_compressed(tensor) else None
    if not masked:  # every element is one of its values then
        everywhere = torch.ones(tuple(tensor.shape), dtype=tensor.dtype).to_sparse(
            layout=kind.layout, blocksize=blocksize, dense_dim=tensor.dense_dim())
        tensor = tensor.to_dense().sparse_mask(everywhere)
        kind = tensor._mt_kind
    shape, values = tuple(tensor.shape), kind.values.detach().clone().requires_grad_()
    if is_compressed(tensor):
        return (lambda part: torch.sparse_compressed_tensor(kind.compressed, kind.plain, part, shape,
                                                            layout=kind.layout)), values
    return (lambda part: torch.sparse_coo_tensor(kind.indices, part, shape, is_coalesced=kind.is_coalesced)), values
