"""Values of jagged tensors into padding and out of it."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op


def _span(offsets, i: int) -> tuple[int, int]:
    """Where a tensor begins and ends; torch reads both for each."""
    return aten.item(aten.select(offsets, 0, i)), aten.item(aten.select(offsets, 0, i + 1))


class JaggedToPadded(Op):
    """Values cut at offsets, each part in a row of its own that is filled up to a length."""

    schema = ("_jagged_to_padded_dense_forward(Tensor values, Tensor[] offsets, SymInt[] max_lengths, "
              "float padding_value=0.) -> Tensor")
    internal = "torch.ops.aten"

    def body(values, offsets, max_lengths, padding_value):
        (marks,), (longest,) = offsets, max_lengths
        count = shape_of(marks)[0] - 1
        padded = aten.new_full(values, (count, longest, *shape_of(values)[1:]), padding_value)
        for i in range(count):
            start, end = _span(marks, i)
            part = aten.slice(values, 0, start, min(end, start + longest))
            aten.copy_(aten.slice(aten.select(padded, 0, i), 0, 0, shape_of(part)[0]), part)
        return padded

    def grad_values(grad, values_shape, offsets):
        return aten._padded_dense_to_jagged_forward(grad, offsets, values_shape[0])


class PaddedToJagged(Op):
    """The rows of a padded tensor without their padding, one behind the other."""

    schema = "_padded_dense_to_jagged_forward(Tensor dense, Tensor[] offsets, SymInt? total_L=None) -> Tensor"
    internal = "torch.ops.aten"

    def body(dense, offsets, total_L):  # noqa: N803  torch's name
        (marks,) = offsets
        count = shape_of(marks)[0] - 1
        total = aten.item(aten.select(marks, 0, -1)) if total_L is None else total_L
        values = aten.new_empty(dense, (total, *shape_of(dense)[2:]))
        for i in range(count):
            start, end = _span(marks, i)
            part = aten.slice(aten.select(dense, 0, i), 0, 0, end - start)
            aten.copy_(aten.slice(values, 0, start, start + shape_of(part)[0]), part)
        return values

    def grad_dense(grad, dense_shape, offsets):
        return aten._jagged_to_padded_dense_forward(grad, offsets, (dense_shape[1],))
