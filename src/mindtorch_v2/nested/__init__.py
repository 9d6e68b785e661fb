"""torch.nested: tensors of different sizes as one tensor."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.device import jagged, strided
from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..core.tensor import Tensor
from ..dispatch.aten import aten as _aten
from ..ops.python.construct import tensor as _tensor

_ONE_LAYOUT = "Specified layout is unsupported for nested tensors: {}"


def nested_tensor(tensor_list, *, dtype=None, layout=None, device=None, requires_grad: bool = False,
                  pin_memory: bool = False) -> Tensor:
    """A nested tensor with copies of the given tensors, or lists of numbers; a leaf of its own."""
    if not isinstance(tensor_list, (list, tuple)):
        raise TypeError("Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in nested_tensor")
    tensors = [t if isinstance(t, Tensor) else _tensor(t, dtype=dtype) for t in tensor_list]
    tensors = [t.detach() if t is given and (t.requires_grad or layout is not jagged) else t
               for t, given in zip(tensors, tensor_list)]
    return as_nested_tensor(tensors, dtype=dtype, device=device, layout=layout).requires_grad_(requires_grad)


def as_nested_tensor(ts, dtype=None, device=None, layout=None) -> Tensor:
    """A nested tensor of tensors whose gradients it leads back to."""
    if isinstance(ts, Tensor) and ts.is_nested:
        return ts
    if not isinstance(ts, (list, tuple, Tensor)):
        raise TypeError("as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors ")
    tensors = list(ts.unbind()) if isinstance(ts, Tensor) else list(ts)
    dtype = dtype or (tensors[0].dtype if tensors else None)
    tensors = [t if t.dtype is dtype else t.to(dtype) for t in tensors]
    if layout is jagged:
        from ._internal.nested_tensor import jagged_from_list
        return jagged_from_list(tensors)
    if layout not in (None, strided):
        raise RuntimeError(_ONE_LAYOUT.format(layout))
    return _aten._nested_tensor_from_tensor_list(tensors, dtype)


def to_padded_tensor(input: Tensor, padding: float, output_size: Sequence[int] | None = None, out=None) -> Tensor:
    """The tensors of a nested one, each filled up to the size of the largest or a given size."""
    if input.layout is jagged:
        return input.to_padded_tensor(padding, output_size)
    return _aten.nested_to_padded_tensor(input, float(padding), None if output_size is None else tuple(output_size))


def nested_tensor_from_jagged(values: Tensor, offsets: Tensor | None = None, lengths: Tensor | None = None,
                              jagged_dim: int | None = None, min_seqlen: int | None = None,
                              max_seqlen: int | None = None) -> Tensor:
    """A nested tensor on values that lie one behind the other, cut at offsets."""
    from ._internal.nested_tensor import jagged_view
    if offsets is None:
        if lengths is None:
            raise RuntimeError("nested_tensor_from_jagged(): At least one of offsets or lengths is required.")
        offsets, lengths = _aten.pad(lengths.cumsum(0), (1, 0)), None
    noted = [None if length is None else _aten.zeros((length, 0)) for length in (min_seqlen, max_seqlen)]
    return jagged_view(values, offsets, lengths, 1 if jagged_dim is None else jagged_dim, *noted)


def narrow(tensor: Tensor, dim: int, start: int | Tensor, length: int | Tensor, layout=strided) -> Tensor:
    """Of each row of a tensor the part that begins at ``start`` and is ``length`` long."""
    if layout not in (strided, jagged):
        raise RuntimeError(_ONE_LAYOUT.format(layout))
    if layout is strided and (isinstance(start, Tensor) or isinstance(length, Tensor)) or dim != 1:
        raise RuntimeError("torch.nested.narrow() is only supported for dim=1 and, in the strided layout, for ints: "
                           f"got dim={dim}")
    count = tensor.shape[0]
    starts, lengths = [value.tolist() if isinstance(value, Tensor) else [value] * count for value in (start, length)]
    rows = [tensor[i].narrow(0, first, n) for i, (first, n) in enumerate(zip(starts, lengths))]
    return as_nested_tensor(rows, layout=layout)


def masked_select(tensor: Tensor, mask: Tensor) -> Tensor:
    """Of each row of a tensor the elements where a mask is true, as a jagged nested tensor."""
    if tensor.layout is not strided:
        raise RuntimeError(f"torch.nested.masked_select requires a strided tensor, given {tensor.layout}")
    values = tensor.masked_select(mask)
    return nested_tensor_from_jagged(values, lengths=mask.expand(tensor.shape).sum(-1).view(-1))


__all__ = ["as_nested_tensor", "masked_select", "narrow", "nested_tensor", "nested_tensor_from_jagged",
           "to_padded_tensor"]

_answer_for_missing(__name__)
