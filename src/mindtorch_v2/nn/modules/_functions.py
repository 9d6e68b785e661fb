"""CrossMapLRN2d as a function with a derivative of its own."""

from __future__ import annotations

from ...autograd.function import Function
from ...core.tensor import Tensor
from ...dispatch.aten import aten


class CrossMapLRN2d(Function):
    """Images divided by a power of the sum of squares over neighbouring channels."""

    @staticmethod
    def forward(ctx, input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> Tensor:
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        ctx.size, ctx.alpha, ctx.beta, ctx.k = size, alpha, beta, k
        ctx.scale, output = input.new(), input.new()
        output.resize_as_(input)
        ctx.scale.resize_as_(input)
        aten.pow(input, 2, out=output)
        _sum_of_neighbours(ctx.scale, output, int((size - 1) / 2 + 1))
        ctx.scale.mul_(alpha / size).add_(k)
        aten.pow(ctx.scale, -beta, out=output)
        output.mul_(input)
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx, grad_output: Tensor):
        input, output = ctx.saved_tensors
        samples, channels, height, width = input.shape
        grad_input = grad_output.new()
        ratios = input.new(channels + ctx.size - 1, height, width)  # with zeros before the first and after the last
        in_window = input.new(height, width)
        factor = 2 * ctx.alpha * ctx.beta / ctx.size
        grad_input.resize_as_(input)
        aten.pow(ctx.scale, -ctx.beta, out=grad_input).mul_(grad_output)
        ratios.zero_()
        of_channels = ratios.narrow(0, int(ctx.size - (ctx.size - 1) / 2), channels)
        for n in range(samples):
            aten.mul(grad_output[n], output[n], out=of_channels)
            of_channels.div_(ctx.scale[n])
            aten.sum(ratios.narrow(0, 0, ctx.size - 1), 0, keepdim=False, out=in_window)
            for c in range(channels):
                in_window.add_(ratios[c + ctx.size - 1])
                grad_input[n][c].addcmul_(input[n][c], in_window, value=-factor)
                in_window.add_(ratios[c], alpha=-1)
        return grad_input, None, None, None, None


def _sum_of_neighbours(sums: Tensor, squares: Tensor, reach: int) -> None:
    """Write for each channel the sum over those around it: the sum before, plus what comes, minus what goes."""
    channels = squares.size(1)
    first = sums.select(1, 0)
    first.zero_()
    for c in range(min(reach, channels)):
        first.add_(squares.select(1, c))
    for c in range(1, channels):
        before, here = sums.select(1, c - 1), sums.select(1, c)
        here.copy_(before)
        if c < channels - reach + 1:
            here.add_(squares.select(1, c + reach - 1), alpha=1)
        if c > reach:
            here.add_(squares.select(1, c - reach), alpha=-1)
