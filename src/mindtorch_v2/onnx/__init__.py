"""torch.onnx: no model is exported; libraries may say how their ops would be written, which is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import symbolic_helper, symbolic_opset11

# (name of the op, version): the function that would write it
_symbolic: dict[tuple[str, int], Callable] = {}


class OnnxExporterError(RuntimeError):
    """What torch raises when a model cannot be exported; for except clauses."""


def register_custom_op_symbolic(symbolic_name: str, symbolic_fn: Callable, opset_version: int) -> None:
    """Say how an op would be written; nothing here writes it."""
    _symbolic[symbolic_name, opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Take that back."""
    _symbolic.pop((symbolic_name, opset_version), None)


def is_in_onnx_export() -> bool:
    """False: nothing is exported."""
    return False


def export(*args, **kwargs) -> NoReturn:
    """Refused."""
    raise OnnxExporterError("torch.onnx.export is not in mindtorch_v2: it writes no ONNX files. Save the weights with "
                            "torch.save(model.state_dict(), path) and export them with PyTorch")


_answer_for_missing(__name__)
