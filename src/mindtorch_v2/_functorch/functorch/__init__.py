"""functorch, the package that PyTorch brings along beside torch: torch.func under its older name."""

from ...core.missing_name import missing as _missing
from ...fx.experimental.proxy_tensor import make_fx
from ...version import __version__
from ..deprecated import (
    combine_state_for_ensemble,
    functionalize,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    make_functional,
    make_functional_with_buffers,
    vjp,
    vmap,
)
from ..make_functional import FunctionalModule, FunctionalModuleWithBuffers

__all__ = ["FunctionalModule", "FunctionalModuleWithBuffers", "__version__", "combine_state_for_ensemble",
           "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "make_functional",
           "make_functional_with_buffers", "make_fx", "vjp", "vmap"]
__getattr__ = _missing(__name__)
