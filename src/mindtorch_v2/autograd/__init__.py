"""Backward: nodes, the engine, custom functions, grad modes."""

from ..core.missing_name import missing_name as _missing_name
from ..core.modes import is_grad_enabled
from . import forward_ad, functional, graph, variable
from .anomaly import detect_anomaly, set_detect_anomaly
from .api import _calculate_shape, backward, grad
from .function import Function
from .grad_mode import (
    _force_original_view_tracking,
    _unsafe_preserve_version_counter,
    enable_grad,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .gradcheck import gradcheck, gradgradcheck
from .layout_policy import enforce_grad_layout_policy
from .passes import _is_checkpoint_valid  # noqa: F401  which libraries with checkpoints of their own ask
from .variable import Variable
from .view_replay import is_view_replay_enabled

__all__ = ["Function", "Variable", "backward", "detect_anomaly", "enable_grad", "enforce_grad_layout_policy",
           "forward_ad", "functional", "grad", "gradcheck", "gradgradcheck", "graph", "inference_mode",
           "is_grad_enabled", "is_multithreading_enabled", "is_view_replay_enabled", "no_grad", "set_detect_anomaly",
           "set_grad_enabled", "set_multithreading_enabled"]


# What torch.autograd shows of torch._C._autograd.
_COMPILED = {"DeviceType", "ProfilerActivity", "ProfilerConfig", "ProfilerState", "SavedTensor", "_KinetoEvent",
             "_ProfilerResult", "_add_metadata_json", "_disable_profiler", "_enable_profiler", "_is_kineto_stopped",
             "_prepare_profiler", "_profiler_enabled", "_record_function_with_args_enter",
             "_record_function_with_args_exit", "_supported_activities", "_toggle_collection_dynamic",
             "kineto_available"}


def __getattr__(name: str):
    """torch's addresses of the profiler, which is loaded only when somebody asks for it."""
    from importlib import import_module
    if name == "torch":  # torch.autograd imports torch, and programs have found it there
        return import_module(__package__.rpartition(".")[0])
    if name in ("_functions", "profiler", "profiler_legacy", "profiler_util"):
        return import_module(f".{name}", __name__)
    if name in _COMPILED:
        return getattr(import_module(".._C._autograd", __name__), name)
    raise _missing_name(__name__, name)
