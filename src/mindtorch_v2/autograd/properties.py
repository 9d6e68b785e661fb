# cython: annotation_typing=False
"""What every tensor says of its place in the graph: grad_fn, is_leaf, requires_grad, grad."""

from __future__ import annotations

from ..core.dtype import C_NAMES, FLOATING
from ..core.fields import node_of
from ..core.kinds import holds_many
from ..core.tensor import Tensor
from ..core.user_warning import warn_user
from . import grad_dtype
from .copy_slices import bring_up_to_date
from .node_classes import named

NOT_A_LEAF = ("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't "
              "be populated during autograd.backward(). If you indeed want the .grad field to be populated for a "
              "non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by "
              "mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for "
              "more information.")

DIFFERENT_TYPE = ("attempting to assign a gradient with dtype '{}' to a tensor with grad_dtype '{}'. The gradient must "
                  "match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype "
                  "attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging "
                  "the dtypes of a tensor and its gradient may break downstream systems that assume they match.")


def get_grad_fn(self: Tensor):
    """The node that leads back; a view first takes on the history that its base has now."""
    bring_up_to_date(self)
    return named(node_of(self))


def refuse_grad_fn(self: Tensor, node=None) -> None:
    raise AttributeError("attribute 'grad_fn' of 'torch._C.TensorBase' objects is not writable")


def del_grad_fn(self: Tensor) -> None:
    raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")


def is_leaf(self: Tensor) -> bool:
    bring_up_to_date(self)
    return node_of(self) is None


def get_requires_grad(self: Tensor) -> bool:
    if self._mt_base is not None and self._mt_version.count != self._mt_view_version and self._mt_base._mt_requires:
        self._mt_requires = True
    return self._mt_requires


def set_requires_grad(self: Tensor, value: bool) -> None:
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


def del_requires_grad(self: Tensor) -> None:
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
    set_requires_grad(self, requires_grad)
    return self


def get_grad(self: Tensor) -> Tensor | None:
    if self._mt_grad is None and node_of(self) is not None and not self._mt_retains:
        warn_user(NOT_A_LEAF)
    return self._mt_grad


def set_grad(self: Tensor, value: Tensor | None) -> None:
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


def del_grad(self: Tensor) -> None:
    self._mt_grad = None
