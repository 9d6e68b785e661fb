"""What gradcheck says of a derivative that is not right."""

from __future__ import annotations

from ...core.tensor import Tensor

NOT_REENTRANT = ("Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                 "gives different values, although analytical gradient matches numerical gradient.The tolerance for "
                 "nondeterminism was {}.")

BATCHED = ("gradcheck or gradgradcheck failed while testing batched gradient computation. Call it with "
           "`check_batched_grad=False` to leave that out.")

BATCHED_FORWARD = ("gradcheck failed while testing batched gradient computation with forward-mode AD. Call it with "
                   "`check_batched_forward_grad=False` to leave that out.")

UNDEFINED = ("Expected backward function to handle undefined output grads. Please look at \"Notes about undefined "
             "output gradients\" in \"tools/autograd/derivatives.yaml\"")
NOT_ZERO = ("Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look "
            "at \"Notes about undefined output gradients\" in \"tools/autograd/derivatives.yaml\"")
UNDEFINED_IS_NEW = ("Backwards compatibility: New undefined gradient support checking feature is enabled by default, "
                    "but it may break existing callers of this function. If this is true for you, you can call this "
                    "function with \"check_undefined_grad=False\" to disable the feature")

ELEMENT_BY_ELEMENT = ("\nThese numbers are the Jacobians multiplied by random vectors, which is what fast mode "
                      "compares. Element by element they are:\n\nNumerical:\n {}\nAnalytical:\n{}\n\nThe max "
                      "per-element difference (slow mode) is: {}.\n")
SLOW_MODE_PASSES = "Element by element they agree: the check would pass with `fast_mode=False`."


class GradcheckError(RuntimeError):
    """A derivative that does not agree with the function."""

    __module__ = "mindtorch_v2.autograd.gradcheck"


def mismatch(output: int, given: int, numeric: Tensor, analytic: Tensor, part: str | None) -> str:
    """Which derivative is wrong, and by how much; ``part`` of a complex output, if it is one."""
    begin = "" if part is None else f"While considering the {part} part of complex outputs only, "
    return (f"{begin}Jacobian mismatch for output {output} with respect to input {given},\n"
            f"numerical:{numeric}\nanalytical:{analytic}\n")


def forward_mismatch(output: int, given: int, numeric: Tensor, analytic: Tensor, part: str | None) -> str:
    """The same for tangents; ``part`` of a complex input, if it is one."""
    begin = "" if part is None else f"While considering the {part} part of complex inputs only, "
    return (f"{begin}Jacobian computed with forward mode mismatch for output {output} with respect to input {given},\n"
            f"numerical:{numeric}\nanalytical:{analytic}\n")
