"""What the functions of torch.autograd.functional refuse, in torch's words."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.slots import Work
from ..core.tensor import Tensor

OUTPUTS = "outputs of the user-provided function"
# A gradient that is not there: by the backward pass in which it is missing.
MISSING = {
    "back": "The output of the user-provided function is independent of input {}. This is not allowed in strict mode.",
    "back_trick": ("The gradient with respect to the input is independent of entry {} in the grad_outputs when using "
                   "the double backward trick to compute forward mode gradients. This is not allowed in strict mode."),
    "double_back": ("The jacobian of the user-provided function is independent of input {}. This is not allowed in "
                    "strict mode."),
    "double_back_trick": ("The hessian of the user-provided function is independent of entry {} in the grad_jacobian. "
                          "This is not allowed in strict mode as it prevents from using the double backward trick to "
                          "replace forward mode AD."),
}
CONSTANT = ("The {} of the user-provided function is independent of input {}. This is not allowed in strict mode when "
            "create_graph=True.")
# Something that no gradient can go into: by what it is.
DETACHED = {
    "outputs": ("Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
                "differentiable manner from the input when running in strict mode."),
    "grad_inputs": ("The gradient with respect to input {} is independent of the inputs of the user-provided function. "
                    "This is not allowed in strict mode."),
    "jacobian": ("While computing the hessian, found that the jacobian of the user-provided function with respect to "
                 "input {} is independent of the input. This is not allowed in strict mode. You should ensure that "
                 "your function is twice differentiable and that the jacobian depends on the inputs (this would be "
                 "violated by a linear function for example)."),
}


def as_tuple(value, what: str, function: str) -> tuple[bool, tuple[Tensor, ...]]:
    """Whether a tuple was given, and the tensors in any case."""
    is_tuple = isinstance(value, tuple)
    tensors = value if is_tuple else (value,)
    for i, one in enumerate(tensors):
        if not isinstance(one, Tensor):
            where = f"value at index {i}" if is_tuple else f"given {what}"
            raise TypeError(f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the "
                            f"{where} has type {type(one)}.")
    return is_tuple, tensors


def check_v(v: tuple[Tensor, ...], like: tuple[Tensor, ...], is_tuple: bool) -> None:
    """A vector to multiply with has the shapes of what it stands for."""
    if len(v) != len(like):
        if is_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (one, other) in enumerate(zip(v, like)):
        if one.shape != other.shape:
            entry = f"Entry {i} in " if is_tuple else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {other.shape} but got {one.shape}.")


def check_requires_grad(tensors: Sequence[Tensor | None], what: str, strict: bool) -> None:
    """In strict mode everything depends on the inputs."""
    for i, tensor in enumerate(tensors if strict else ()):
        if tensor is None:
            raise RuntimeError(MISSING["back"].format(i))
        if not tensor._mt_requires:
            raise RuntimeError(DETACHED[what].format(i))


def filled(grads: Sequence[Tensor | None], like: Sequence[Tensor], strict: bool, create_graph: bool,
           stage: str) -> tuple[Tensor, ...]:
    """Zeros where no gradient came, or in strict mode a complaint."""
    for i, grad in enumerate(grads if strict else ()):
        if grad is None:
            raise RuntimeError(MISSING[stage].format(i))
        if create_graph and not grad._mt_requires:
            raise RuntimeError(CONSTANT.format("hessian" if "double" in stage else "jacobian", i))
    return tuple(Work.zeros_like(t) if g is None else g for g, t in zip(grads, like))
