"""Sequences of different lengths: padded to one, or packed step by step, as recurrent layers take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ...core.device import contiguous_format
from ...core.dtype import int64
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...ops.python.construct import as_tensor

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pad_packed_sequence", "pad_sequence",
           "unpad_sequence", "pack_sequence", "unpack_sequence"]


class PackedSequence_(NamedTuple):  # noqa: N801  torch's name
    """The fields of a packed sequence."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


def _changed(tensor: Tensor | None, change: Callable) -> Tensor | None:
    return None if tensor is None else change(tensor)


class PackedSequence(PackedSequence_):
    """Elements step by step, how many sequences go on in each, and how these were sorted."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError("batch_sizes should always be on CPU. Instances of PackedSequence should never be created "
                             "manually. They should be instantiated by functions like pack_sequence and "
                             "pack_padded_sequences in nn.utils.rnn. "
                             "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence")
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def pin_memory(self) -> PackedSequence:
        """Every field in pinned memory."""
        return type(self)(self.data.pin_memory(), self.batch_sizes,
                          *[_changed(t, lambda t: t.pin_memory()) for t in self[2:]])

    def to(self, *args, **kwargs) -> PackedSequence:
        """The data in another type or on another device."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        rest = {name: value for name, value in kwargs.items() if name not in ("device", "dtype")}
        return type(self)(data, self.batch_sizes, *[_changed(t, lambda t: t.to(data.device, **rest)) for t in self[2:]])

    def cuda(self, *args, **kwargs) -> PackedSequence:
        """On a graphics processor."""
        return self.to(*args, device="cuda", **kwargs)

    def cpu(self, *args, **kwargs) -> PackedSequence:
        """On the CPU."""
        return self.to(*args, device="cpu", **kwargs)

    def double(self) -> PackedSequence:
        """In float64."""
        return self.to(dtype=self.data.double().dtype)

    def float(self) -> PackedSequence:
        """In float32."""
        return self.to(dtype=self.data.float().dtype)

    def half(self) -> PackedSequence:
        """In float16."""
        return self.to(dtype=self.data.half().dtype)

    def long(self) -> PackedSequence:
        """In int64."""
        return self.to(dtype=int64)

    def int(self) -> PackedSequence:
        """In int32."""
        return self.to(dtype=self.data.int().dtype)

    def short(self) -> PackedSequence:
        """In int16."""
        return self.to(dtype=self.data.short().dtype)

    def char(self) -> PackedSequence:
        """In int8."""
        return self.to(dtype=self.data.char().dtype)

    def byte(self) -> PackedSequence:
        """In uint8."""
        return self.to(dtype=self.data.byte().dtype)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a graphics processor."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Whether the data is in pinned memory."""
        return self.data.is_pinned()


def bind(optional, fn: Callable):
    """What a function gives, of something that may be None."""
    return None if optional is None else fn(optional)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Where each index of a permutation stands."""
    if permutation is None:
        return None
    output = aten.empty_like(permutation, memory_format=contiguous_format)
    output.scatter_(0, permutation, aten.arange(0, permutation.numel(), device=permutation.device))
    return output


def pack_padded_sequence(input: Tensor, lengths: Tensor | list[int], batch_first: bool = False,
                         enforce_sorted: bool = True) -> PackedSequence:
    """Padded sequences without their padding."""
    lengths = lengths.to(dtype=int64) if isinstance(lengths, Tensor) else as_tensor(lengths, dtype=int64, device="cpu")
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = aten.sort(lengths, descending=True)
        sorted_indices = sorted_indices.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = aten._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, None)


def pad_packed_sequence(sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0,
                        total_length: int | None = None) -> tuple[Tensor, Tensor]:
    """Packed sequences padded to one length, and their lengths."""
    length = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < length:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but "
                             f"got total_length={total_length} and max sequence length being {length}")
        length = total_length
    padded, lengths = aten._pad_packed_sequence(sequence.data, sequence.batch_sizes, batch_first, padding_value, length)
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order.cpu()]


def pad_sequence(sequences: Tensor | list[Tensor], batch_first: bool = False, padding_value: float = 0.0,
                 padding_side: str = "right") -> Tensor:
    """Sequences side by side, filled up to the longest."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError("pad_sequence: Expected iterable for input sequences, but got arg of type: "
                           f"{type(sequences)}")
    return aten.pad_sequence(tuple(sequences), batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """Padded sequences one by one, without their padding."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    places = aten.arange(padded_sequences.shape[1], device=lengths.device)
    return [sequence[places < length] for sequence, length in zip(padded_sequences, lengths)]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences packed."""
    lengths = as_tensor([sequence.size(0) for sequence in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Packed sequences one by one."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
