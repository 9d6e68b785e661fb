"""What autograd adds to every tensor: requires_grad, grad, backward, hooks."""

from __future__ import annotations

import warnings

from ..core import fields
from ..core.dtype import C_NAMES, FLOATING
from ..core.fields import node_of
from ..core.kinds import holds_many
from ..core.overrides import Property
from ..core.tensor import Tensor, add_attribute
from . import grad_dtype, hooks, view_functions
from .api import backward as run_backward
from .copy_slices import bring_up_to_date
from .node_classes import named
from .use_count import _use_count

NOT_A_LEAF = ("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't "
              "be populated during autograd.backward(). If you indeed want the .grad field to be populated for a "
              "non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by "
              "mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for "
              "more information.")

DIFFERENT_TYPE = ("attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must "
                  "match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype "
                  "attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging "
                  "the dtypes of a tensor and its gradient may break downstream systems that assume they match.")


def _get_grad_fn(self: Tensor):
    """The node that leads back; a view first takes on the history that its base has now."""
    bring_up_to_date(self)
    return named(node_of(self))


class _Noted(Property):
    """``grad_fn`` where nothing is compiled, else a field: the engine notes nodes here, and nobody is asked."""

    def __set__(self, instance: Tensor, node) -> None:
        instance.__dict__["grad_fn"] = node


def _refuse_grad_fn(self: Tensor, node=None) -> None:
    raise AttributeError("attribute 'grad_fn' of 'torch._C.TensorBase' objects is not writable")


def _del_grad_fn(self: Tensor) -> None:
    raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")


def _is_leaf(self: Tensor) -> bool:
    bring_up_to_date(self)
    return node_of(self) is None


def _get_requires_grad(self: Tensor) -> bool:
    if self._mt_base is not None and self._mt_version.count != self._mt_view_version and self._mt_base._mt_requires:
        self._mt_requires = True
    return self._mt_requires


def _set_requires_grad(self: Tensor, value: bool) -> None:
    if not isinstance(value, bool):
        raise RuntimeError("requires_grad must be a bool")
    if node_of(self) is not None:
        if value:
            return
        raise RuntimeError("you can only change requires_grad flags of leaf variables. If you want to use a computed "
                           "variable in a subgraph that doesn't require differentiation use var_no_grad = "
                           "var.detach().")
    if value and self.dtype.category < FLOATING:
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    if value and self._mt_inference:
        raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
    self._mt_requires = value


def _del_requires_grad(self: Tensor) -> None:
    raise RuntimeError("requires_grad must be a bool")


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Say in place whether this tensor's gradient is wanted."""
    if not isinstance(requires_grad, bool):
        raise TypeError("requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                        f"{type(requires_grad).__name__}")
    if holds_many(self):
        raise RuntimeError("You are attempting to call Tensor.requires_grad_() (or perhaps using "
                           "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
                           "transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, "
                           "vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
                           "transformed instead.")
    _set_requires_grad(self, requires_grad)
    return self


def _get_grad(self: Tensor) -> Tensor | None:
    if self._mt_grad is None and node_of(self) is not None and not self._mt_retains:
        warnings.warn(NOT_A_LEAF, stacklevel=2)
    return self._mt_grad


def _set_grad(self: Tensor, value: Tensor | None) -> None:
    if value is not None:
        if not isinstance(value, Tensor):
            raise TypeError("assigned grad expected to be a Tensor or None but got grad of type "
                            f"{type(value).__name__}")
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        wanted = grad_dtype.wanted(self)
        if value.dtype is not wanted and wanted is not None:
            raise RuntimeError(DIFFERENT_TYPE.format(C_NAMES[value.dtype.name], wanted.short))
        if value._mt_array.shape != self._mt_array.shape:
            raise RuntimeError(f"attempting to assign a gradient of size '{list(value._mt_array.shape)}' to a tensor "
                               f"of size '{list(self._mt_array.shape)}'. Please ensure that the gradient and the "
                               "tensor are the same size")
    self._mt_grad = value


def _del_grad(self: Tensor) -> None:
    self._mt_grad = None


def backward(self: Tensor, gradient=None, retain_graph=None, create_graph: bool = False, inputs=None) -> None:
    """Add this tensor's gradients to the leaves it comes from."""
    run_backward([self], None if gradient is None else [gradient], retain_graph, create_graph, inputs=inputs)


def install() -> None:
    """Put all of it on the class."""
    grad_fn = property(_get_grad_fn, _refuse_grad_fn, _refuse_grad_fn)
    for name, value in {
        "grad_fn": grad_fn if fields.IS_COMPILED else _Noted(grad_fn),
        "is_leaf": property(_is_leaf),
        "requires_grad": property(_get_requires_grad, _set_requires_grad, _del_requires_grad),
        "requires_grad_": requires_grad_,
        "grad": property(_get_grad, _set_grad, _del_grad),
        "_grad": property(_get_grad, _set_grad, _del_grad),
        "_grad_fn": property(_get_grad_fn, None, _del_grad_fn),
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
