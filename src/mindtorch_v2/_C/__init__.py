"""torch._C: the switches and names of torch's core that Python programs reach for."""

import importlib
import types
import weakref

from ..api.install import FUNCTIONS
from ..autograd.layout_policy import _is_grad_layout_enforcement_enabled, _set_grad_layout_enforcement_enabled
from ..autograd.passes import (
    _current_autograd_node,
    _current_graph_task_execution_order,
    _current_graph_task_id,
    _will_engine_execute_node,
)
from ..autograd.thread_objects import _get_obj_in_tls, _is_key_in_tls, _remove_obj_from_tls, _stash_obj_in_tls
from ..autograd.view_replay import _set_view_replay_enabled
from ..autograd.view_replay import is_view_replay_enabled as _is_view_replay_enabled
from ..core.autocast import (
    AVAILABLE,
    autocast_decrement_nesting,
    autocast_increment_nesting,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from ..core.autocast import is_any_autocast_enabled as _is_any_autocast_enabled
from ..core.autocast import is_autocast_available as _is_autocast_available
from ..core.default_device import get_default_device
from ..core.device import CPU, _get_privateuse1_backend_name, _rename_privateuse1_backend, device
from ..core.errors import AcceleratorError, OutOfMemoryError, _LinAlgError
from ..core.forward_levels import is_enabled as _is_fwd_grad_enabled
from ..core.forward_levels import set_enabled as _set_fwd_grad_enabled
from ..core.missing_name import missing_name as _missing_name
from ..core.mode_stack import DisableTorchDispatch as _DisableTorchDispatch
from ..core.mode_stack import DisableTorchFunction, DisableTorchFunctionSubclass
from ..core.mode_stack import EnableTorchFunction as _EnableTorchFunction
from ..core.modes import function_state, is_grad_enabled, is_inference_mode_enabled
from ..core.modes import set_grad as _set_grad_enabled
from ..core.overrides import disabled_dispatch as _disabled_torch_dispatch_impl
from ..core.overrides import disabled_function as _disabled_torch_function_impl
from ..core.overrides import stacks
from ..core.tensor import Tensor as TensorBase
from ..dispatch import batch_levels
from ..dispatch.packet import _VariableFunctionsClass
from ..opdef.tags import Tag
from ..ops.random.generator import Generator
from ..overrides import has_torch_function as _has_torch_function
from ..overrides import has_torch_function_unary as _has_torch_function_unary
from ..overrides import has_torch_function_variadic as _has_torch_function_variadic
from ._jit_switches import switches as _switches
from .dispatch_keys import DispatchKey, DispatchKeySet
from .function_state import _get_torch_function_state, _set_torch_function_state, _TorchFunctionState

globals().update(_switches())

_LOADED_WHEN_ASKED = frozenset("""
    _autograd _distributed_rpc _fft _functions _functorch _linalg _nested _nn _profiler _sparse _special""".split())
has_lapack = has_spectral = True
has_mkl = has_openmp = False
_has_cuda = _has_mps = _has_xpu = _has_mkl = _has_mkldnn = _has_mkldnn_acl = _has_kleidiai = _has_cudnn = False
_TensorMeta = type(TensorBase)  # what isinstance() asks of a tensor's class


def _get_tracing_state() -> None:
    """None: nothing is traced."""


def _is_tracing() -> bool:
    return False


def _get_default_device() -> str:
    """The name of the device on which tensors are made."""
    return str(get_default_device())


def _get_accelerator(check: bool | None = None) -> device:
    """Where programs compute that leave the choice to torch: the CPU, for want of an accelerator."""
    return CPU


def _are_functorch_transforms_active() -> bool:
    """Whether values may be hidden from Python's conditions, as they are inside of vmap alone."""
    return batch_levels.innermost() is not None


def _get_cpu_capability() -> str:
    """The widest vector instructions in use."""
    from ..backends.cpu import get_cpu_capability
    return get_cpu_capability()


def _get_cudnn_enabled() -> bool:
    """The switch of torch.backends.cudnn, which is on as long as nobody turns it off."""
    from ..backends import cudnn
    return cudnn.enabled


def _log_api_usage_once(event: str) -> None:
    """Programs tell which parts of torch they use; nobody listens."""


def __getattr__(name: str):
    """What reads profiles is loaded when somebody asks: the rest runs without the profiler."""
    if name in _LOADED_WHEN_ASKED:
        return importlib.import_module(f".{name}", __name__)
    if name == "_VariableFunctions":
        return types.SimpleNamespace(**FUNCTIONS)
    if name in ("Graph", "Node", "Value"):
        return getattr(importlib.import_module("..jit.types", __name__), name)
    if name in ("PyTorchFileReader", "PyTorchFileWriter"):
        from ..serialization import zip_reader, zip_writer
        return getattr(zip_reader if name.endswith("Reader") else zip_writer, name)
    raise _missing_name(__name__, name)


class _WeakTensorRef:
    """A tensor that is not kept alive."""

    def __init__(self, tensor: TensorBase):
        self._ref = weakref.ref(tensor)

    def expired(self) -> bool:
        """Whether the tensor is gone."""
        return self._ref() is None


def _autocast_supported_devices() -> list[str]:
    return list(AVAILABLE)


def _is_alias_of(first: TensorBase, second: TensorBase) -> bool:
    """Whether two tensors lie on one storage."""
    return first._mt_storage is second._mt_storage


def _is_torch_function_enabled() -> bool:
    return function_state() == 0


def _is_torch_function_all_disabled() -> bool:
    return function_state() == 2


def _is_torch_function_mode_enabled() -> bool:
    return bool(stacks.functions) and function_state() < 2


def _len_torch_function_stack() -> int:
    return len(stacks.functions)


def _len_torch_dispatch_stack() -> int:
    return len(stacks.dispatch)


__all__ = ["DisableTorchFunction", "DisableTorchFunctionSubclass", "Generator", "TensorBase", "_DisableTorchDispatch",
           "_EnableTorchFunction", "_disabled_torch_dispatch_impl", "_disabled_torch_function_impl",
           "_TorchFunctionState", "_autograd", "_get_torch_function_state", "_has_torch_function",
           "_has_torch_function_unary", "_has_torch_function_variadic", "_profiler", "_set_torch_function_state"]
