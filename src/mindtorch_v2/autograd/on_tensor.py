"""What autograd adds to every tensor: its properties, backward, hooks."""

from __future__ import annotations

from ..core import fields
from ..core.overrides import Property
from ..core.tensor import Tensor, add_attribute
from . import grad_dtype, hooks, properties, view_functions
from .api import backward as run_backward
from .use_count import _use_count


class _Noted(Property):
    """``grad_fn`` where nothing is compiled, else a field: the engine notes nodes here, and nobody is asked."""

    def __set__(self, instance: Tensor, node) -> None:
        instance.__dict__["grad_fn"] = node


def backward(self: Tensor, gradient=None, retain_graph=None, create_graph: bool = False, inputs=None) -> None:
    """Add this tensor's gradients to the leaves it comes from."""
    run_backward([self], None if gradient is None else [gradient], retain_graph, create_graph, inputs=inputs)


def install() -> None:
    """Put all of it on the class."""
    grad_fn = property(properties.get_grad_fn, properties.refuse_grad_fn, properties.refuse_grad_fn)
    for name, value in {
        "grad_fn": grad_fn if fields.IS_COMPILED else _Noted(grad_fn),
        "is_leaf": property(properties.is_leaf),
        "requires_grad": property(properties.get_requires_grad, properties.set_requires_grad,
                                  properties.del_requires_grad),
        "requires_grad_": properties.requires_grad_,
        "grad": property(properties.get_grad, properties.set_grad, properties.del_grad),
        "_grad": property(properties.get_grad, properties.set_grad, properties.del_grad),
        "_grad_fn": property(properties.get_grad_fn, None, properties.del_grad_fn),
        "_backward_hooks": property(hooks.get_backward_hooks, hooks.set_backward_hooks, hooks.del_backward_hooks),
        "grad_dtype": property(grad_dtype.get, grad_dtype.put),
        "retains_grad": property(lambda self: self._mt_retains),
        "_use_count": _use_count,
        "_view_func": view_functions._view_func,
        "_view_func_unsafe": view_functions._view_func_unsafe,
        "_rev_view_func_unsafe": view_functions._rev_view_func_unsafe,
        "_is_view": lambda self: self._mt_base is not None,
        "backward": backward,
        "retain_grad": hooks.retain_grad,
        "register_hook": hooks.register_hook,
        "register_post_accumulate_grad_hook": hooks.register_post_accumulate_grad_hook,
    }.items():
        add_attribute(name, value)
