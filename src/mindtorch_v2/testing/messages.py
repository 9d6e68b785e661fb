"""What assert_close() says of numbers that are not close, in torch's words."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.tensor import Tensor


def _allowed(tolerance: float, equality: bool) -> str:
    return "" if equality else f" (up to {tolerance} allowed)"


def make_scalar_mismatch_msg(actual: complex, expected: complex, rtol: float, atol: float) -> str:
    """Of two numbers."""
    difference = abs(actual - expected)
    relative = float("inf") if expected == 0 else difference / abs(expected)
    equality = rtol == 0 and atol == 0
    return (f"Scalars are not {'equal' if equality else 'close'}!\n\n"
            f"Expected {expected} but got {actual}.\n"
            f"Absolute difference: {difference}{_allowed(atol, equality)}\n"
            f"Relative difference: {relative}{_allowed(rtol, equality)}")


def make_tensor_mismatch_msg(actual: Tensor, expected: Tensor, matches: Tensor, rtol: float, atol: float,
                             name: str = "Tensor-likes") -> str:
    """Of two tensors, by the greatest differences among the elements that do not match."""
    count, total = matches.numel() - int(matches.sum()), matches.numel()
    equality = rtol == 0 and atol == 0
    shape, missed = matches.shape, ~matches.flatten()
    actual, expected = actual.flatten(), expected.flatten()
    if not actual.dtype.is_floating_point and not actual.dtype.is_complex:
        actual, expected = actual.to(dtypes.int64), expected.to(dtypes.int64)  # differences of bytes and truth values
    absolute = (actual - expected).abs()
    relative = absolute / expected.abs()
    lines = [f"{name} are not {'equal' if equality else 'close'}!\n",
             f"Mismatched elements: {count} / {total} ({count / total:.1%})"]
    for name, differences, tolerance in (("absolute", absolute, atol), ("relative", relative, rtol)):
        place = int(differences.masked_fill(~missed, 0).argmax())
        lines.append(f"Greatest {name} difference: {differences[place].item()} at index {_unraveled(place, shape)}"
                     f"{_allowed(tolerance, equality)}")
    return "\n".join(lines)


def make_bitwise_mismatch_msg(matches: Tensor) -> str:
    """Of two tensors of numbers that are equal or not, without a distance."""
    count, total = matches.numel() - int(matches.sum()), matches.numel()
    first = int((~matches.flatten()).nonzero()[0])
    return (f"Tensor-likes are not 'equal'!\n\nMismatched elements: {count} / {total} ({count / total:.1%})\n"
            f"The first mismatched element is at index {_unraveled(first, matches.shape)}.")


def _unraveled(place: int, shape) -> tuple[int, ...]:
    """The index of an element by its number."""
    index: list[int] = []
    for size in reversed(shape):
        place, last = divmod(place, size)
        index.insert(0, last)
    return tuple(index)
