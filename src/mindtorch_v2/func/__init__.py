"""torch.func: functions of functions, and modules as functions of their parameters."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .batch_norm import replace_all_batch_norm_modules_
from .functional_call import functional_call, stack_module_state
from .functionalize import functionalize
from .grads import grad, grad_and_value, vjp
from .jacobians import hessian, jacfwd, jacrev
from .jvp import jvp, linearize
from .rearrange import rearrange
from .vmap import vmap
from .watched import debug_unwrap

__all__ = ["debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev",
           "jvp", "linearize", "rearrange", "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap"]

for _name in __all__:
    globals()[_name].__module__ = __name__
_answer_for_missing(__name__)
