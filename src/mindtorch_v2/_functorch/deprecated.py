"""torch._functorch.deprecated: functorch's functions, which say where they stand today."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps

from .. import func
from ..core.missing_name import missing as _missing
from . import make_functional as _modules

__all__ = ["combine_state_for_ensemble", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev",
           "jvp", "make_functional", "make_functional_with_buffers", "vjp", "vmap"]


def _deprecated(function: Callable, address: str = "") -> Callable:
    name = function.__name__
    address = address or f"torch.func.{name}"

    @wraps(function)
    def functorch_s(*args, **kwargs):
        warnings.warn(
            "We've integrated functorch into PyTorch. As the final step of the integration, "
            f"`functorch.{name}` is deprecated as of PyTorch 2.0 and will be deleted in a future version of PyTorch >= "
            f"2.3. Please use `{address}` instead; see the PyTorch 2.0 release notes and/or the `torch.func` migration "
            "guide for more details https://pytorch.org/docs/main/func.migrating.html", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)
    functorch_s.__module__ = __name__
    return functorch_s


functionalize = _deprecated(func.functionalize)
grad = _deprecated(func.grad)
grad_and_value = _deprecated(func.grad_and_value)
hessian = _deprecated(func.hessian)
jacfwd = _deprecated(func.jacfwd)
jacrev = _deprecated(func.jacrev)
jvp = _deprecated(func.jvp)
vjp = _deprecated(func.vjp)
vmap = _deprecated(func.vmap, "torch.vmap")
make_functional = _deprecated(_modules.make_functional, "torch.func.functional_call")
make_functional_with_buffers = _deprecated(_modules.make_functional_with_buffers, "torch.func.functional_call")
combine_state_for_ensemble = _deprecated(_modules.combine_state_for_ensemble, "torch.func.stack_module_state")
__getattr__ = _missing(__name__)
