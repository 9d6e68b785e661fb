"""Sequences of different lengths: padded to one, or packed step by step without the padding."""

from __future__ import annotations

from itertools import groupby

from ...core.dtype import int64
from ...core.kinds import first_of_many, holds_many
from ...core.tensor import ndim_of, numel_of, place_of, shape_of
from ...devices.facts import is_on_host
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec


def _check_lengths(input, lengths, batch: int, values: list[int]) -> None:
    if len(values) != batch:
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(values)} "
                           f"(batch_size={batch})")
    if values[-1] <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
                           "<= 0")
    if any([shorter > longer for longer, shorter in zip(values, values[1:])]):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability.")


def _check_readable(lengths) -> None:
    """How long sequences are must be known while they are packed: it is read on the CPU."""
    if not is_on_host(lengths) or lengths.dtype is not int64 or ndim_of(lengths) != 1:
        raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, but got {ndim_of(lengths)}D "
                           f"{place_of(lengths)} {lengths.dtype.short} tensor")


class PackPaddedSequence(Op):
    """Step by step, what the sequences that still go on have there; and how many those are."""

    schema = "_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)"
    node = "PackPaddedSequenceBackward0"
    no_grad_for = "result1"
    grads_of = "input"

    def body(input, lengths, batch_first):
        if numel_of(input) == 0:
            raise RuntimeError("Cannot pack empty tensors.")
        _check_readable(lengths)
        x, values = aten.transpose(input, 0, 1) if batch_first else input, ask.tolist(lengths)
        batch, rest = shape_of(x)[1], shape_of(x)[2:]
        _check_lengths(x, lengths, batch, values)
        batch_sizes, sizes, parts, start, going_on = aten.empty((values[0],), dtype=int64), [], [], 0, batch
        for length, equals in groupby(reversed(values)):
            step = aten.slice(aten.slice(x, 0, start, length), 1, 0, going_on)
            if not step.is_contiguous():
                step = aten.contiguous(step)
            parts.append(aten.view(step, ((length - start) * going_on, *rest)))
            sizes += [going_on] * (length - start)
            start, going_on = length, going_on - len(list(equals))
        run.fill_from_list(batch_sizes, sizes)
        return aten.cat(parts, 0), batch_sizes

    def grads(grads, input_shape, batch_first, result1):
        return (aten._pack_padded_sequence_backward(grads[0], input_shape, result1, batch_first),)


class PackPaddedSequenceBackward(Op):
    """Gradients put back where the padded sequences had their elements."""

    schema = ("_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) "
              "-> Tensor")
    internal = "a derivative"

    def meta(grad, input_size, batch_sizes, batch_first):
        return Spec(tuple(input_size), grad.dtype)

    def body(grad, input_size, batch_sizes, batch_first):
        size = (input_size[1], input_size[0], *input_size[2:]) if batch_first else input_size
        out = aten.new_zeros(grad, tuple(size)) if holds_many(grad) else aten.zeros(tuple(size), dtype=grad.dtype)
        offset = 0
        for step, count in enumerate(ask.tolist(batch_sizes)):
            place = aten.slice(aten.select(out, 0, step), 0, 0, count)
            aten.copy_(place, aten.slice(grad, 0, offset, offset + count))
            offset += count
        return aten.transpose(out, 0, 1) if batch_first else out


class PadPackedSequence(Op):
    """Packed sequences padded to one length; and how long they were."""

    schema = ("_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, "
              "int total_length) -> (Tensor, Tensor)")

    def body(data, batch_sizes, batch_first, padding_value, total_length):
        _check_readable(batch_sizes)
        sizes = ask.tolist(batch_sizes)
        if not sizes:
            raise RuntimeError("batch_sizes can not be empty")
        batch, steps, rest = sizes[0], len(sizes), shape_of(data)[1:]
        if total_length > 0:
            if total_length < steps:
                raise RuntimeError("Expected total_length to be at least the length of the longest sequence in input, "
                                   f"but got total_length={total_length} and max sequence length being {steps}")
            steps = total_length
        shape = (steps, batch, *rest)
        out = aten.new_full(data, shape, padding_value) if holds_many(data) else \
            aten.full(shape, padding_value, dtype=data.dtype)
        lengths, start, offset, ends = aten.empty((batch,), dtype=int64), 0, 0, []
        for going_on, equals in groupby(sizes):
            count = len(list(equals))
            source = aten.slice(data, 0, offset, offset + count * going_on)
            place = aten.slice(aten.slice(out, 0, start, start + count), 1, 0, going_on)
            aten.copy_(place, aten.view(source, (count, going_on, *rest)))
            start, offset = start + count, offset + count * going_on
            ends.append((going_on, start))
        run.fill_from_list(lengths, [max([end for going_on, end in ends if going_on > i]) for i in range(batch)])
        return aten.transpose(out, 0, 1) if batch_first else out, lengths


class PadSequence(Op):
    """Sequences side by side, filled up to the longest."""

    schema = ('pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., '
              'str padding_side="right") -> Tensor')
    internal = "torch.nn.utils.rnn"

    def body(sequences, batch_first, padding_value, padding_side):
        if not sequences:
            raise RuntimeError("received an empty list of sequences")
        if padding_side not in ("left", "right"):
            raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
        longest, rest = max([shape_of(t)[0] for t in sequences]), shape_of(sequences[0])[1:]
        count = len(sequences)
        shape = (count, longest, *rest) if batch_first else (longest, count, *rest)
        many, dtype = first_of_many(*sequences), sequences[0].dtype
        out = aten.full(shape, padding_value, dtype=dtype) if many is None else \
            aten.new_full(many, shape, padding_value, dtype=dtype)
        for i, sequence in enumerate(sequences):
            length = shape_of(sequence)[0]
            start = longest - length if padding_side == "left" else 0
            if batch_first:
                place = aten.narrow(aten.select(out, 0, i), 0, start, length)
            else:
                place = aten.select(aten.narrow(out, 0, start, length), 1, i)
            aten.copy_(place, sequence)
        return out
