"""torch.nn.grad: the gradients of convolutions as functions of their own."""

from __future__ import annotations

from ..core.tensor import Tensor
from ..dispatch.aten import aten

_OF_INPUT, _OF_WEIGHT = (True, False, False), (False, True, False)


def _sizes(value, rank: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * rank


def _gradient(rank: int, grad_output: Tensor, input: Tensor, weight: Tensor, stride, padding, dilation, groups,
              wanted) -> tuple:
    strides, paddings, dilations = (_sizes(value, rank) for value in (stride, padding, dilation))
    return aten.convolution_backward(grad_output, input, weight, None, strides, paddings, dilations, False, [0], groups,
                                     wanted)


def _of_input(rank: int):
    def gradient(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        input = grad_output.new_empty(1).expand(input_size)  # whose values nobody needs
        return _gradient(rank, grad_output, input, weight, stride, padding, dilation, groups, _OF_INPUT)[0]
    gradient.__name__ = gradient.__qualname__ = f"conv{rank}d_input"
    gradient.__doc__ = f"The gradient of conv{rank}d by its input."
    return gradient


def _of_weight(rank: int):
    def gradient(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        weight = grad_output.new_empty(1).expand(weight_size)
        return _gradient(rank, grad_output, input, weight, stride, padding, dilation, groups, _OF_WEIGHT)[1]
    gradient.__name__ = gradient.__qualname__ = f"conv{rank}d_weight"
    gradient.__doc__ = f"The gradient of conv{rank}d by its weight."
    return gradient


conv1d_input, conv2d_input, conv3d_input = (_of_input(rank) for rank in (1, 2, 3))
conv1d_weight, conv2d_weight, conv3d_weight = (_of_weight(rank) for rank in (1, 2, 3))
