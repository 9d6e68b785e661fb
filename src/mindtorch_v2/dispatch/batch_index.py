"""Reading and writing by positions under vmap."""

from __future__ import annotations

from ..core.dtype import bool_, int64, uint8
from ..core.tensor import Tensor, ndim_of, shape_of
from . import dispatcher
from .aten import aten
from .batch_call import Call, moved, padded
from .batch_dims import along_dims, shifted
from .batch_loop import loop


def indexed(call: Call):
    """``index.Tensor``: positions that are the same for all members, or each member's own."""
    x, indices = call.args
    given = [index for index in indices if index is not None]
    if call.size == 0 or any([index.dtype in (bool_, uint8) for index in given]):
        return masked(call)
    rank = max([ndim_of(index) for index in given])
    lead, adjacent = places(indices)
    if not any([call.is_batched(index) for index in given]):
        result = aten.index(call.front(x), [None, *[front(call, index) for index in indices]])
        return call.members(result, 0 if adjacent else rank)
    positions = [None if index is None else aligned(call, index, rank) for index in indices]
    if not call.is_batched(x):
        return call.members(aten.index(call.front(x), positions), lead if adjacent else 0)
    members = aten.reshape(aten.arange(call.size), (call.size, *(1,) * rank))
    result = aten.index(call.front(x), [members, *positions])
    if adjacent and lead:  # the positions' dimensions came first; they belong behind those that were skipped
        for _ in range(rank):
            result = moved(result, 1, rank + lead)
    return call.members(result)


def masked(call: Call):
    """The same by masks, which must choose as many elements of each member."""
    x, indices = call.args
    if any([call.is_batched(index) and index.dtype in (bool_, uint8) for index in indices if index is not None]):
        raise RuntimeError("vmap: We do not support batching operators that can support dynamic shape. Attempting to "
                           "batch over indexing with a boolean mask.")
    if any([call.is_batched(index) for index in indices if index is not None]):
        return loop(call)
    result = aten.index(call.front(x), [None, *[front(call, index) for index in indices]])
    if places(indices)[1]:
        return call.members(result)
    return loop(call)


def front(call: Call, index: Tensor | None) -> Tensor | None:
    return None if index is None else call.front(index)


def aligned(call: Call, index: Tensor, rank: int) -> Tensor:
    """Positions of all members, with as many dimensions each as those of any index."""
    return padded(call.full(index), rank)


def places(indices: list) -> tuple[int, bool]:
    """How many dimensions are skipped before the first index, and whether all indices stand side by side."""
    at = [i for i, index in enumerate(indices) if index is not None]
    return at[0], at[-1] - at[0] + 1 == len(at)


def selected(call: Call):
    """``index_select``: rows by number."""
    x, dim, index = call.args
    if call.is_batched(index):
        return loop(call)
    if ndim_of(x) == 0:
        return loop(call)
    return call.members(aten.index_select(call.front(x), shifted(dim, ndim_of(x)), call.front(index)))


def embedded(call: Call):
    """``embedding``: rows of a table that all members share, or of each member's own."""
    weight, indices, *rest = call.args
    if not call.is_batched(weight):
        return call.members(dispatcher.call(call.op, (call.front(weight), call.front(indices), *rest)))
    tables = call.front(weight)
    if not call.is_batched(indices):
        positions = aten.reshape(call.front(indices), (-1,))
        rows = aten.index_select(tables, 1, positions)
        return call.members(aten.reshape(rows, (call.size, *shape_of(indices), -1)))
    size, rows, width = shape_of(tables)
    starts = aten.reshape(aten.mul(aten.arange(size), rows), (size, *(1,) * ndim_of(indices)))
    table = aten.reshape(tables, (size * rows, width))
    return call.members(aten.embedding(table, aten.add(call.front(indices), starts)))


def embedded_back(call: Call):
    """``embedding_dense_backward``: the tables of all members are one, which each adds to at its own place."""
    grad, indices, rows, padding, by_count = call.args
    if by_count or call.size == 0:
        return loop(call)
    starts = aten.reshape(aten.mul(aten.arange(call.size), rows), (call.size, *(1,) * ndim_of(indices)))
    positions = aten.add(call.full(indices), starts)
    table = aten.embedding_dense_backward(call.full(grad), positions, rows * call.size, -1, False)
    tables = aten.reshape(table, (call.size, rows, -1))
    if padding >= 0:
        tables = aten.index_fill(tables, 1, aten.full((1,), padding, dtype=int64), 0)
    return call.members(tables)


def scattered(call: Call):
    """``scatter`` and the like, where positions and values have a dimension to be along."""
    tensors = [call.args[i] for i in call.op.tensors if call.args[i] is not None]
    return along_dims(call) if all([ndim_of(tensor) for tensor in tensors]) else loop(call)


def chosen(call: Call):
    """``masked_select`` by one mask for all members."""
    x, mask = call.args
    if call.is_batched(mask):
        raise RuntimeError("vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support "
                           "this because for each batch this would return a differently shaped Tensor. Please file an "
                           "issue at https://github.com/pytorch/pytorch/issues if you need this feature.")
    return loop(call)


RULES = {
    "masked_select": chosen,
    "index.Tensor": indexed, "_unsafe_index.Tensor": indexed, "index_select": selected, "embedding": embedded,
    "embedding_dense_backward": embedded_back,
    **{name: scattered for name in ("gather", "scatter", "scatter_", "scatter_add", "scatter_add_", "scatter_reduce",
                                    "scatter_reduce_")},
}
