"""Activations that take ``inplace``, and those written in other functions.

Those that take numbers are called as users call them, so that a tensor whose gradient would be lost is refused.
"""

from __future__ import annotations

import warnings

from ...api.install import FUNCTIONS
from ...core.device import contiguous_format
from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...core.user_warning import warn_user
from ...dispatch.aten import aten

FROM_MODULE = 5  # the stack level that modules give, as torch's do: they have fewer calls on the way here, or none


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Negative values become zero."""
    if asked(input):
        return overridden(relu, locals())
    return aten.relu_(input) if inplace else aten.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Values between 0 and 6."""
    if asked(input):
        return overridden(relu6, locals())
    return aten.relu6_(input) if inplace else aten.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Negative values bend towards ``-alpha``."""
    if asked(input):
        return overridden(elu, locals())
    return FUNCTIONS["elu_" if inplace else "elu"](input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """elu scaled to keep mean and variance."""
    if asked(input):
        return overridden(selu, locals())
    return aten.selu_(input) if inplace else aten.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """elu whose slope is continuous for every ``alpha``."""
    if asked(input):
        return overridden(celu, locals())
    return FUNCTIONS["celu_" if inplace else "celu"](input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Negative values are scaled down."""
    if asked(input):
        return overridden(leaky_relu, locals())
    return FUNCTIONS["leaky_relu_" if inplace else "leaky_relu"](input, negative_slope)


def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False,
          inplace: bool = False) -> Tensor:
    """Negative values are scaled down by factors that are drawn in training."""
    if asked(input):
        return overridden(rrelu, locals())
    return FUNCTIONS["rrelu_" if inplace else "rrelu"](input, lower, upper, training)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * sigmoid(x)``."""
    if asked(input):
        return overridden(silu, locals())
    return aten.silu_(input) if inplace else aten.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * tanh(softplus(x))``."""
    if asked(input):
        return overridden(mish, locals())
    return aten.mish_(input) if inplace else aten.mish(input)


def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Values that do not exceed a threshold are replaced."""
    if asked(input):
        return overridden(_threshold, locals())
    return FUNCTIONS["threshold_" if inplace else "threshold"](input, threshold, value)


threshold = _threshold  # torch's function has this name too, since a parameter hides the other


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Values between two bounds."""
    if asked(input):
        return overridden(hardtanh, locals())
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return FUNCTIONS["hardtanh_" if inplace else "hardtanh"](input, min_val, max_val)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """silu made of straight lines."""
    if asked(input):
        return overridden(hardswish, locals())
    return aten.hardswish_(input) if inplace else aten.hardswish(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """sigmoid made of straight lines."""
    if asked(input):
        return overridden(hardsigmoid, locals())
    return aten.hardsigmoid_(input) if inplace else aten.hardsigmoid(input)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """One half of the input, gated by the other."""
    if asked(input):
        return overridden(glu, locals())
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return aten.glu(input, dim)


def softsign(input: Tensor) -> Tensor:
    """``x / (1 + |x|)``."""
    if asked(input):
        return overridden(softsign, locals())
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """``x - tanh(x)``."""
    if asked(input):
        return overridden(tanhshrink, locals())
    return input - input.tanh()


def tanh(input: Tensor) -> Tensor:
    if asked(input):
        return overridden(tanh, locals())
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    if asked(input):
        return overridden(sigmoid, locals())
    return input.sigmoid()


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """Shares that sum to one along a dimension."""
    if asked(input):
        return overridden(softmax, locals())
    if dim is None:
        dim = _implicit_dim("softmax", input.dim(), _stacklevel)
    return aten.softmax(input, dim) if dtype is None else aten.softmax(input, dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """The logarithm of softmax."""
    if asked(input):
        return overridden(log_softmax, locals())
    if dim is None:
        dim = _implicit_dim("log_softmax", input.dim(), _stacklevel)
    return aten.log_softmax(input, dim) if dtype is None else aten.log_softmax(input, dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype=None) -> Tensor:
    """softmax of the negative: the smallest gets the largest share."""
    if asked(input):
        return overridden(softmin, locals())
    if dim is None:
        dim = _implicit_dim("softmin", input.dim(), _stacklevel)
    return aten.softmax(-input, dim) if dtype is None else aten.softmax(-input, dim, dtype=dtype)


def _implicit_dim(name: str, ndim: int, stacklevel: int) -> int:
    message = (f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an "
               "argument.")
    if stacklevel == FROM_MODULE:
        warn_user(message)
    else:
        warnings.warn(message, stacklevel=stacklevel)
    return 0 if ndim in (0, 1, 3) else 1


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A sample of a category, soft, or hard with the soft one's gradient."""
    if asked(logits):
        return overridden(gumbel_softmax, locals())
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -aten.empty_like(logits, memory_format=contiguous_format).exponential_().log()
    noise = (logits + noise) / tau
    soft = aten.softmax(noise, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    chosen = aten.zeros_like(logits, memory_format=contiguous_format).scatter_(dim, index, 1.0)
    return chosen - soft.detach() + soft
