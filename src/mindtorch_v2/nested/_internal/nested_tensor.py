"""torch.nested._internal.nested_tensor: the class of jagged tensors, and views of values as such."""

from ...api.pickling import _rebuild_njt  # noqa: F401  by this name files call it
from ...core.missing_name import answer_for_missing as _answer_for_missing
from ...core.tensor import Tensor
from ...dispatch.aten import aten as _aten
from ...ops.nested.jagged import NestedTensor, jagged_from_list, jagged_view

__all__ = ["NestedTensor", "buffer_from_jagged", "jagged_from_list", "jagged_view", "nested_from_padded",
           "nested_view_from_values_offsets", "nested_view_from_values_offsets_lengths"]


def buffer_from_jagged(jagged: NestedTensor) -> Tensor:
    """The values of a jagged tensor."""
    return jagged.values()


def nested_view_from_values_offsets(values: Tensor, offsets: Tensor, ragged_idx: int = 1,
                                    min_seqlen: int | None = None, max_seqlen: int | None = None) -> Tensor:
    """Values cut at offsets."""
    return nested_view_from_values_offsets_lengths(values, offsets, None, ragged_idx, min_seqlen, max_seqlen)


def nested_view_from_values_offsets_lengths(values: Tensor, offsets: Tensor, lengths: Tensor | None,
                                            ragged_idx: int = 1, min_seqlen: int | None = None,
                                            max_seqlen: int | None = None) -> Tensor:
    """Values from offsets on, as far as lengths go."""
    return jagged_view(values, offsets, lengths, ragged_idx, _noted(min_seqlen), _noted(max_seqlen))


def nested_from_padded(padded: Tensor, offsets: Tensor, ragged_idx: int = 1, min_seqlen: int | None = None,
                       max_seqlen: int | None = None, sum_S: int | None = None) -> Tensor:  # noqa: N803
    """A padded tensor without its padding."""
    turned = padded.transpose(1, ragged_idx) if ragged_idx != 1 else padded
    values = _aten._padded_dense_to_jagged_forward(turned, [offsets], sum_S)
    values = values.transpose(0, ragged_idx - 1) if ragged_idx != 1 else values
    return jagged_view(values, offsets, None, ragged_idx, _noted(min_seqlen), _noted(max_seqlen))


def _noted(length: int | None) -> Tensor | None:
    """A length as torch keeps it: the size of an empty tensor."""
    return None if length is None else _aten.zeros((length, 0))


_answer_for_missing(__name__)
