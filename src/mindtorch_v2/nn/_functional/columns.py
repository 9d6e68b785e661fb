"""Images as columns of what a kernel sees, and back."""

from __future__ import annotations

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten

IntOrPair = int | tuple[int, int]


def assert_int_or_pair(arg, arg_name: str, message: str) -> None:
    """Refuse what is neither a number nor a pair of them."""
    if not isinstance(arg, int) and len(arg) != 2:
        raise AssertionError(message.format(arg_name))


def _pair(value: IntOrPair) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else tuple(value)


def unfold(input: Tensor, kernel_size: IntOrPair, dilation: IntOrPair = 1, padding: IntOrPair = 0,
           stride: IntOrPair = 1) -> Tensor:
    """What a kernel sees at each position of an image, as a column."""
    if asked(input):
        return overridden(unfold, locals())
    return aten.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def fold(input: Tensor, output_size: IntOrPair, kernel_size: IntOrPair, dilation: IntOrPair = 1,
         padding: IntOrPair = 0, stride: IntOrPair = 1) -> Tensor:
    """Columns put back into an image; where they overlap they are added up."""
    if asked(input):
        return overridden(fold, locals())
    return aten.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))
