"""How to go back: nodes, the engine, custom functions, grad modes."""

from ..core.modes import is_grad_enabled
from ..core.tensor import Tensor as Variable
from . import functional, graph
from .anomaly import detect_anomaly, set_detect_anomaly
from .api import backward, grad
from .function import Function
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .gradcheck import gradcheck, gradgradcheck

__all__ = ["Function", "Variable", "backward", "detect_anomaly", "enable_grad", "functional", "grad", "gradcheck",
           "gradgradcheck", "graph", "inference_mode", "is_grad_enabled", "no_grad", "set_detect_anomaly",
           "set_grad_enabled"]


def __getattr__(name: str):
    """torch's address of the profiler, which is loaded only when somebody asks for it."""
    if name in ("profiler", "profiler_util"):
        from importlib import import_module
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
