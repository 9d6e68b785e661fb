"""PyTorch's API on NumPy, with a profiler at its heart: ``import mindtorch_v2 as torch``."""

from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .core.dtype import EXPORTS as _DTYPES
from .core.modes import is_grad_enabled
from .core.size import Size
from .core.tensor import Tensor
from .ops.paving import FUNCTIONS as _FUNCTIONS

globals().update(_DTYPES)
globals().update(_FUNCTIONS)
