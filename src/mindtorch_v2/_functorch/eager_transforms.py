"""torch._functorch.eager_transforms: what stands in func/ under its other address."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..func.argnums import ArgNums, chosen
from ..func.functionalize import functionalize
from ..func.grads import grad, grad_and_value, vjp
from ..func.jacobians import hessian, jacfwd, jacrev
from ..func.jvp import jvp, linearize

__all__ = ["functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp"]


def _slice_argnums(args: tuple, argnums: ArgNums, as_tuple: bool = True):
    """The arguments that are differentiated by; without ``as_tuple``, a single one by itself."""
    values = chosen(args, argnums)
    return values if as_tuple or isinstance(argnums, tuple) else values[0]


_answer_for_missing(__name__)
