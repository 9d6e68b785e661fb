"""torch.nn.init: first values for weights, the same as torch's for the same seed."""

from __future__ import annotations

import math
import warnings

from ..autograd.grad_mode import no_grad
from ..core.overrides import asked, hand_over
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from ..ops.python.construct import tensor as make_tensor

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse",
    "sparse_", "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform",
    "xavier_uniform_", "zeros_",
]

# What each nonlinearity does to the size of its input, where that is one number.
_GAINS = {"linear": 1, "conv1d": 1, "conv2d": 1, "conv3d": 1, "conv_transpose1d": 1, "conv_transpose2d": 1,
          "conv_transpose3d": 1, "sigmoid": 1, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_FEWER = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"


def calculate_gain(nonlinearity: str, param: int | float | None = None) -> float:
    """The factor by which weights before a nonlinearity are made larger."""
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    if param is None:
        slope = 0.01
    elif isinstance(param, (int, float)) and not isinstance(param, bool):
        slope = param
    else:
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + slope**2))


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many values enter and leave one unit of a weight."""
    if tensor.dim() < 2:
        raise ValueError(_FEWER)
    shape = tensor.shape
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


@no_grad()
def _no_grad_uniform_(tensor: Tensor, a: float, b: float, generator=None) -> Tensor:
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def _no_grad_normal_(tensor: Tensor, mean: float, std: float, generator=None) -> Tensor:
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def _no_grad_fill_(tensor: Tensor, val: float) -> Tensor:
    return tensor.fill_(val)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator=None) -> Tensor:
    """Values between two bounds."""
    if asked(tensor):
        return hand_over(uniform_, (tensor,), (), locals())
    return _no_grad_uniform_(tensor, a, b, generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator=None) -> Tensor:
    """Values of a normal distribution."""
    if asked(tensor):
        return hand_over(normal_, (tensor,), (), locals())
    return _no_grad_normal_(tensor, mean, std, generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One value everywhere."""
    if asked(tensor):
        return hand_over(constant_, (tensor,), (), locals())
    return _no_grad_fill_(tensor, val)


@no_grad()
def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return tensor.fill_(1.0)


@no_grad()
def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return tensor.zero_()


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator=None) -> Tensor:
    """Uniform values that keep the size of what passes, forward and backward."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return _no_grad_uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator=None) -> Tensor:
    """Normal values that keep the size of what passes, forward and backward."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return _no_grad_normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
                     generator=None) -> Tensor:
    """Uniform values that keep the size of what passes through a rectifier."""
    if asked(tensor):
        return hand_over(kaiming_uniform_, (tensor,), (), locals())
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return _no_grad_uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
                    generator=None) -> Tensor:
    """Normal values that keep the size of what passes through a rectifier."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    return _no_grad_normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


@no_grad()
def trunc_normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0,
                  generator=None) -> Tensor:
    """Values of a normal distribution that lie between two bounds; what falls outside is drawn again."""
    if tensor.is_meta:
        return tensor
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
                      "incorrect.", stacklevel=3)
    inside = _below((b - mean) / std) - _below((a - mean) / std)
    if inside > 0.3:  # where torch changes from one way of drawing to the other
        return _redraw_normal(tensor, mean, std, a, b, generator)
    return _redraw_uniform(tensor, mean, std, a, b, generator)


def _below(z: float) -> float:
    """The share of a normal distribution below ``z``."""
    return (1.0 + math.erf(z / math.sqrt(2.0))) / 2.0


def _redraw_normal(tensor: Tensor, mean: float, std: float, a: float, b: float, generator) -> Tensor:
    low, high = make_tensor(a, dtype=tensor.dtype).item(), make_tensor(b, dtype=tensor.dtype).item()
    values, more = tensor.normal_(mean, std, generator=generator), None
    outside = (values < low) | (values > high)
    while outside.any():
        more = aten.empty_like(tensor) if more is None else more
        more.normal_(mean, std, generator=generator)
        values = aten.where(outside, more, values)
        outside = (values < low) | (values > high)
    return tensor if values is tensor else tensor.copy_(values)


def _redraw_uniform(tensor: Tensor, mean: float, std: float, a: float, b: float, generator) -> Tensor:
    """Uniform values, each kept with the probability its density has beside the highest one in reach."""
    highest = -0.5 * ((min(max(mean, a), b) - mean) / std) ** 2
    drawn, chance = aten.empty_like(tensor), aten.empty_like(tensor)
    values = tensor.uniform_(a, b, generator=generator)
    drawn.copy_(values)
    refused = _refused(drawn, chance, mean, std, highest, generator)
    while refused.any():
        drawn.uniform_(a, b, generator=generator)
        values = aten.where(refused, drawn, values)
        refused = aten.where(refused, _refused(drawn, chance, mean, std, highest, generator), refused)
    return tensor if values is tensor else tensor.copy_(values)


def _refused(drawn: Tensor, chance: Tensor, mean: float, std: float, highest: float, generator) -> Tensor:
    drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(highest)
    return chance.uniform_(0.0, 1.0, generator=generator).log_() > drawn


def eye_(tensor: Tensor) -> Tensor:
    """Ones on the diagonal."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        aten.eye(*tensor.shape, out=tensor)
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A convolution that hands its input on, as far as it has channels."""
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    sizes = tensor.size()
    if sizes[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = sizes[0] // groups
    middle = tuple(n // 2 for n in sizes[2:])
    with no_grad():
        tensor.zero_()
        for g in range(groups):
            for d in range(min(per_group, sizes[1])):
                tensor[(g * per_group + d, d, *middle)] = 1
    return tensor


def orthogonal_(tensor: Tensor, gain: float = 1, generator=None) -> Tensor:
    """Rows or columns that stand at right angles."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    flat = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
    if rows < columns:
        flat.t_()
    q, r = aten.linalg_qr(flat)
    q *= r.diag(0).sign()
    if rows < columns:
        q.t_()
    with no_grad():
        tensor.view_as(q).copy_(q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator=None) -> Tensor:
    """Normal values, a share of each column being zero."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = int(math.ceil(sparsity * rows))
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[aten.randperm(rows)[:zeros], column] = 0
    return tensor


def _deprecated(function):
    """The name an initializer had before it got its underscore."""
    new, old = function.__name__, function.__name__[:-1]

    def renamed(*args, **kwargs):
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    renamed.__name__ = old
    return renamed


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
