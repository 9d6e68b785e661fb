"""Reductions of segments of a dimension that follow one another."""

from __future__ import annotations

from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...devices.facts import has_values
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ...opdef.rules import Spec
from ..shared.not_differentiable import UNKNOWN, unknown

TYPES = KernelTypes("_segment_reduce_cpu: floating")
REDUCTIONS = {"sum": "sum", "mean": "mean", "prod": "prod", "max": "max", "min": "min", "amax": "max", "amin": "min"}


def _check_lengths(data, lengths, axis: int) -> None:
    if aten.item(aten.min(lengths)) < 0:
        raise RuntimeError("lengths contains negative value!")
    whole = aten.eq(aten.sum(lengths, (-1,)), shape_of(data)[axis])
    if not aten.item(aten.all(whole)):
        raise RuntimeError("segment_reduce(): Expected all rows of lengths along axis to sum to "
                           "data.size(lengths.dim()-1) when !unsafe.")


class SegmentReduce(Op):
    """The sums, means, products or extremes of segments, which lengths or offsets describe."""

    schema = ("segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, "
              "Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor")

    def meta(data, reduce, lengths, indices, offsets, axis, unsafe, initial):
        axis = wrap_dim(axis, ndim_of(data))
        if reduce not in REDUCTIONS:
            raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
        if indices is not None:
            raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
        if lengths is None and offsets is None:
            raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
        shape = shape_of(data)
        segments = shape_of(lengths)[-1] if offsets is None else shape_of(offsets)[-1] - 1
        return Spec((*shape[:axis], segments, *shape[axis + 1:]), data.dtype)

    def body(data, reduce, lengths, indices, offsets, axis, unsafe, initial):
        spec = SegmentReduce.meta(data, reduce, lengths, indices, offsets, axis, unsafe, initial)
        axis = wrap_dim(axis, ndim_of(data))
        if offsets is None and not unsafe and has_values(lengths):
            _check_lengths(data, lengths, axis)
        out = aten.empty(spec.shape, dtype=spec.dtype)
        TYPES.check(data.dtype)
        run.segment_reduce(out, data, REDUCTIONS[reduce], lengths, offsets, axis, initial)
        return out

    def grad_data(grad, result, data, reduce, lengths, offsets, axis, initial):
        return aten._segment_reduce_backward(grad, result, data, reduce, lengths=lengths, offsets=offsets, axis=axis,
                                             initial=initial)


class SegmentReduceBackward(Op):
    """The gradient of segment_reduce."""

    schema = ("_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, "
              "Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor")
    internal = "torch.ops.aten"
    node, grads_of, grads = UNKNOWN, "grad output data", unknown("_segment_reduce_backward")

    def meta(grad, output, data, reduce, lengths, offsets, axis, initial):
        if lengths is None and offsets is None:
            raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
        return Spec(shape_of(data), grad.dtype)

    def body(grad, output, data, reduce, lengths, offsets, axis, initial):
        out = aten.zeros(shape_of(data), dtype=grad.dtype)
        run.segment_reduce_backward(out, grad, output, data, REDUCTIONS[reduce], lengths, offsets,
                                    wrap_dim(axis, ndim_of(data)), initial)
        return out
