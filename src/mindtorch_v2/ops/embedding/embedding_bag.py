# cython: annotation_typing=False
"""Bags of a table's rows, added up, averaged or cut to their largest elements."""

from __future__ import annotations

from ...autograd.tangents import is_differentiated
from ...core import dtype as dtypes
from ...core.device import preserve_format, strided
from ...core.tensor import ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import ask, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..create.copy import Zero
from ..create.factories import empty
from ..shared.layout import IN_ORDER, in_order, sized
from ..shared.values import has_values
from .embedding import index_check

SUM, MEAN, MAX = range(3)
HALF_BYTES = 2  # the size of float16 and bfloat16
_zero = Zero.op.work  # without a row of its own, as torch calls it here
_WEIGHT_TYPES = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def _expected(condition: bool, sentence: str) -> None:
    """torch's complaint where it has no words of its own."""
    if not condition:
        raise RuntimeError(f"Expected {sentence} to be true, but got false.  (Could this error message be improved?  "
                           "If so, please report an enhancement request to PyTorch.)")


def _wider(indices, offsets) -> dtypes.DType:
    return dtypes.int64 if dtypes.int64 in (indices.dtype, offsets.dtype) else indices.dtype


def one_index_type(indices, offsets):
    """Indices and offsets promoted to the wider type of both, which shows as rows."""
    if indices.dtype is offsets.dtype:
        return indices, offsets
    wider = _wider(indices, offsets)
    return [t if t.dtype is wider else aten.to(t, dtype=wider, layout=strided, device=t.device)
            for t in (indices, offsets)]


def float_check(t, name: str) -> None:
    if t.dtype not in _WEIGHT_TYPES:
        shown = f"CPU{t.dtype.short}Type" if t.dtype.is_complex else f"torch.{t.dtype.short}Tensor"
        raise RuntimeError(f"Expected tensor for argument #1 '{name}' to have one of the following scalar types: Half, "
                           f"BFloat16, Float, Double; but got {shown} instead (while checking arguments for "
                           "embedding_bag)")


def _bags(offsets, include_last_offset: bool) -> int:
    """How many bags there are."""
    return shape_of(offsets)[0] - include_last_offset


def _bag_check(weight, indices, offsets, mode, per_sample_weights, include_last_offset) -> None:
    for name, t, ndims, words in (("input", indices, (1, 2), "1D or 2D"), ("offsets", offsets, (1,), "1D"),
                                  ("weight", weight, (2,), "2D")):
        if ndim_of(t) not in ndims:
            raise RuntimeError(f"{name} has to be a {words} Tensor, but got Tensor of dimension {ndim_of(t)}")
    for t in (indices, offsets):
        index_check(t, "embedding_bag")
    float_check(weight, "weight")
    if mode not in (SUM, MEAN, MAX):
        raise RuntimeError("`mode` must be sum, mean, or max.")
    if per_sample_weights is not None:
        _sample_weight_check(weight, indices, mode, per_sample_weights)
    if include_last_offset and not numel_of(offsets):
        raise RuntimeError("include_last_offset: number of offset should be at least 1")


def _sample_weight_check(weight, indices, mode, per_sample_weights) -> None:
    if mode != SUM:
        raise RuntimeError("embedding_bag: per_sample_weights only supported with mode='sum'")
    if per_sample_weights.dtype is not weight.dtype:
        raise RuntimeError("Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
                           f"'per_sample_weights'; but type torch.{weight.dtype.short}Tensor does not equal "
                           f"torch.{per_sample_weights.dtype.short}Tensor (while checking arguments for embedding_bag)")
    _expected(ndim_of(per_sample_weights) == 1, "per_sample_weights.value().dim() == 1")
    _expected(numel_of(per_sample_weights) == numel_of(indices),
              "per_sample_weights.value().numel() == indices.numel()")


def _offset_check(indices, offsets) -> None:
    """The first bag begins with the first index, and the last one not behind the last."""
    if not numel_of(offsets) or not has_values(offsets):
        return
    first, last = ask.ends(offsets)
    length = shape_of(indices)[0]
    if first:
        raise RuntimeError("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
                           f"position 0. However, got {first}\n[ torch.{offsets.dtype.short}Tensor{{}} ]")
    if last > length:
        raise RuntimeError(f"offsets[-1] can not be greater than input's length {length} but got offsets[-1] of {last}")


class EmbeddingBag(Op):
    """Rows of a table by their numbers, bag by bag."""

    schema = ("embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
              "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> "
              "(Tensor, Tensor, Tensor, Tensor)")

    def body(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset):
        return aten.embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                                  include_last_offset, None)


class EmbeddingBagPadded(Op):
    """The same, where an index may stand for nothing."""

    schema = ("embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, "
              "int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> "
              "(Tensor, Tensor, Tensor, Tensor)")

    def body(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
             padding_idx):
        rows = shape_of(weight)[0]
        if padding_idx is None:
            padding_idx = -1
        elif not -rows <= padding_idx < rows:
            raise RuntimeError(f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but "
                               f"got {padding_idx}")
        else:
            padding_idx %= rows
        offsets, indices = in_order(offsets), in_order(indices)
        given = [t for t in (weight, per_sample_weights) if t is not None]
        is_trained = any([t._mt_requires or is_differentiated(t) for t in given])
        bags = aten._embedding_bag if is_trained else aten._embedding_bag_forward_only
        return bags(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                    include_last_offset, padding_idx)


def _bag_specs(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx,
               is_trained) -> tuple[Spec, Spec, Spec, Spec]:
    """The bags, the bag of each index, the sizes of bags, and where their largest elements lie."""
    _bag_check(weight, indices, offsets, mode, per_sample_weights, include_last_offset)
    integers, bags = _wider(indices, offsets), _bags(offsets, include_last_offset)
    output = Spec((bags, shape_of(weight)[1]), weight.dtype)
    listed = 0 if _is_direct(weight, mode, padding_idx, per_sample_weights) else numel_of(indices)
    sizes = (bags,) if is_trained or mode != SUM else shape_of(offsets)
    return output, Spec((listed,), integers), Spec(sizes, integers), Spec(
        output.shape if mode == MAX else sizes, integers)


def _is_direct(weight, mode: int, padding_idx: int, per_sample_weights) -> bool:
    """Whether torch adds up a bag after the other, without a list of which index belongs to which."""
    return mode == SUM and _is_fast(weight, padding_idx, per_sample_weights)


def _is_fast(weight, padding_idx: int, per_sample_weights) -> bool:
    return (weight.dtype is not dtypes.float64 and strides_of(weight)[1] == 1 and padding_idx < 0
            and (per_sample_weights is None or strides_of(per_sample_weights)[0] == 1))


def bag_of_each(into, offsets):
    """Fill a list, which comes as zeros and is one longer than the indices, with the bag of each index."""
    aten.index_add_(into, 0, offsets, aten.ones_like(offsets, memory_format=IN_ORDER))
    aten.sub_(aten.select(into, 0, 0), 1)
    return aten.cumsum(into, 0, dtype=into.dtype)


def _count_bags(bag_size, offsets, length: int) -> None:
    """The lengths of all bags: from one offset to the next, and from the last to the end."""
    bags = numel_of(bag_size)
    if bags != 1:
        ends = aten.slice(offsets, 0, 0, bags - 1)
        lengths = aten.sub(aten.slice(offsets, 0, 1, bags), ends)
        aten.copy_(aten.slice(bag_size, 0, 0, bags - 1), lengths)
    if bags:
        begin = aten.select(offsets, 0, bags - 1)
        rest = aten.fill_(aten.empty_like(begin, memory_format=preserve_format), length)
        aten.sub_(rest, begin)
        aten.copy_(aten.select(bag_size, 0, -1), rest)


def _divide_by_sizes(output, bag_size) -> None:
    counts = aten.max(bag_size, aten.ones_like(bag_size, memory_format=IN_ORDER))
    counts = aten.to(counts, dtype=output.dtype, layout=strided, device=output.device)
    aten.div_(output, aten.expand_as(aten.unsqueeze(counts, 1), output))


def _add_up(output, bag_size, weight, indices, offset2bag, per_sample_weights, padding_idx) -> None:
    """Rows added to the bags that a list names, those of half precision in single precision."""
    sums = output
    if output.dtype.itemsize == HALF_BYTES:
        if per_sample_weights is None:
            row = aten.empty(shape_of(weight)[1:], dtype=dtypes.float32)  # noqa: F841  torch's place for one row
        sums = aten.zeros(shape_of(output), dtype=dtypes.float32)
    run.embedding_bag_sum(sums, bag_size, weight, indices, offset2bag, per_sample_weights, padding_idx)
    if sums is not output:
        run.copy(output, sums)


def _bag_up(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, is_trained):
    """The bags, the bag of each index, the sizes of bags, and where their largest elements lie."""
    indices, offsets = one_index_type(indices, offsets)
    _offset_check(indices, offsets)
    bags, integers, length = _bags(offsets, include_last_offset), offsets.dtype, numel_of(indices)
    output = empty((bags, shape_of(weight)[1]), weight.dtype)
    offset2bag = empty((0,), integers)
    if mode == MEAN and bags and _is_fast(weight, padding_idx, None) and dispatcher.is_unobserved():
        listed, sizes, places = empty((length,), integers), empty((bags,), integers), empty((bags,), integers)
        if has_values(offsets) and ask.list_bags(listed, sizes, offsets):
            run.embedding_bag_direct(output, weight, indices, offsets, None, include_last_offset)
            run.divide_bags(output, sizes)
            return output, listed, sizes, aten.copy_(places, sizes)
    if not _is_direct(weight, mode, padding_idx, per_sample_weights):
        begins = aten.narrow(offsets, 0, 0, bags) if include_last_offset else offsets
        _zero(sized(offset2bag, (length + 1,)))
        offset2bag = sized(bag_of_each(offset2bag, begins), (length,))
        _zero(output)
        del begins
    bag_size = empty(shape_of(offsets), integers)
    if is_trained or mode != SUM:
        _count_bags(sized(bag_size, (bags,)), offsets, length)
    max_indices = empty(shape_of(bag_size), integers)
    if mode == MAX:
        _zero(sized(max_indices, shape_of(output)))
        run.embedding_bag_max(output, max_indices, bag_size, weight, indices, offset2bag, padding_idx)
        return output, offset2bag, bag_size, max_indices
    if _is_fast(weight, padding_idx, per_sample_weights):
        scales = per_sample_weights
        if scales is not None and weight.dtype.itemsize == HALF_BYTES:
            scales = aten.empty(shape_of(per_sample_weights), dtype=dtypes.float32)
            run.copy(scales, per_sample_weights)
        run.embedding_bag_direct(output, weight, indices, offsets, scales, include_last_offset)
        del scales
    else:
        _add_up(output, bag_size, weight, indices, offset2bag, per_sample_weights, padding_idx)
    if mode == MEAN:
        _divide_by_sizes(output, bag_size)
    else:
        _zero(bag_size)
    aten.copy_(max_indices, bag_size)
    return output, offset2bag, bag_size, max_indices


class EmbeddingBags(Op):
    """Bags of rows, and what backward needs."""

    schema = ("_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
              "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
              "int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)")
    node = "EmbeddingBagBackward0"
    no_grad_for = "result1 result2 result3"

    def meta(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
             padding_idx):
        return _bag_specs(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, True)

    def body(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
             padding_idx):
        return _bag_up(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, True)

    def grad_weight(grad, weight_shape, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                    padding_idx, result1, result2, result3):
        return aten._embedding_bag_backward(grad, indices, offsets, result1, result2, result3, weight_shape[0],
                                            scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx)

    def grad_per_sample_weights(grad, weight, indices, offsets, mode, padding_idx, result1):
        return aten._embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets, result1, mode,
                                                               padding_idx)


class EmbeddingBagForwardOnly(Op):
    """The same where nothing leads back."""

    schema = ("_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, "
              "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
              "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)")
    below = True

    def meta(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
             padding_idx):
        return _bag_specs(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, False)

    def body(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
             padding_idx):
        return _bag_up(weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx, False)
