"""How a view was made, and torch's refusal where autograd could not follow a write into it."""

from __future__ import annotations

from ..core.fields import node_of

PLAIN, ONE_OF_SEVERAL, NO_GRAD, INFERENCE, CUSTOM = range(5)

WRITTEN = "is being modified inplace"
BASE_WRITTEN = "its base or another view of its base has been modified inplace"

_CLARIFY = ("Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
            "moving both the view and the inplace either both inside the {0} block (if you don't want the inplace to "
            "be tracked) or both outside (if you want the inplace to be tracked).")
_REASONS = {
    ONE_OF_SEVERAL: "This view is the output of a function that returns multiple views. Such functions do not allow "
                    "the output views to be modified inplace. You should replace the inplace operation by an "
                    "out-of-place one.",
    NO_GRAD: _CLARIFY.format("no_grad"),
    INFERENCE: _CLARIFY.format("inference_mode"),
    CUSTOM: "This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
            "logic to handle view+inplace would override the custom backward associated with the custom Function, "
            "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
            "custom Function.",
}


def of_inference() -> RuntimeError:
    """torch's error for a tensor of inference mode that is written outside of it."""
    return RuntimeError("Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
                        "to get a normal tensor before doing inplace update.See "
                        "https://github.com/pytorch/rfcs/pull/17 for more details.")


def refusal(view, what: str) -> RuntimeError:
    """torch's error for a view that was written, or whose base was (``what``)."""
    kind, node = view._mt_view_kind, node_of(view)
    mode = "inference mode and {} in normal mode" if kind == INFERENCE else "no_grad mode and {} with grad mode enabled"
    if node is None:
        begin = f"A view was created in {mode.format(what)}"
    elif kind in (NO_GRAD, INFERENCE):
        begin = (f"Output {view.output_nr} of {node.op_name()} is a view of a view which was created in "
                 f"{mode.format(what)}")
    else:
        begin = f"Output {view.output_nr} of {node.op_name()} is a view and {what}"
    return RuntimeError(f"{begin}. {_REASONS[kind]}")
