"""PyTorch's API on NumPy, with a profiler at its heart: ``import mindtorch_v2 as torch``."""

from math import e, inf, nan, pi
from os import environ as _environ
from sys import modules as _modules

from . import __config__, accelerator, amp, backends, compiler, cpu, cuda, mps, random, storage, version, xpu
from .alias import install_as_torch
from .amp import GradScaler, autocast
from .api.install import FUNCTIONS as _FUNCTIONS
from .api.tensor_types import TYPES as _TENSOR_TYPES
from .api.tensor_types import set_default_tensor_type
from .api.typed_storage import STORAGES as _STORAGES
from .api.typed_storage import TypedStorage
from .autograd.anomaly import is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled
from .autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .compiler.compile import compile
from .core.assertions import (
    _assert,
    _check,
    _check_index,
    _check_not_implemented,
    _check_tensor_all,
    _check_tensor_all_with,
    _check_type,
    _check_value,
    _check_with,
)
from .core.autocast import OLDER as _OLDER_AUTOCAST
from .core.autocast import (
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
from .core.default_device import get_default_device, set_default_device
from .core.determinism import (
    are_deterministic_algorithms_enabled,
    get_deterministic_debug_mode,
    is_deterministic_algorithms_warn_only_enabled,
    set_deterministic_debug_mode,
    use_deterministic_algorithms,
)
from .core.device import (
    _mkldnn,
    channels_last,
    channels_last_3d,
    contiguous_format,
    device,
    jagged,
    layout,
    legacy_contiguous_format,
    memory_format,
    preserve_format,
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from .core.dtype import EXPORTS as _DTYPES
from .core.dtype import DType as dtype  # noqa: N813  torch's name
from .core.dtype import finfo, get_default_dtype, iinfo, set_default_dtype
from .core.errors import AcceleratorError, FatalError, OutOfMemoryError
from .core.matmul_precision import get_float32_matmul_precision, set_float32_matmul_precision
from .core.missing_name import answer_for_missing as _answer_for_missing
from .core.missing_name import missing_name as _missing_name
from .core.mode_stack import DisableTorchFunction, DisableTorchFunctionSubclass
from .core.modes import is_grad_enabled, is_inference_mode_enabled
from .core.printing import set_printoptions
from .core.size import Size
from .core.slots import Work as _Work
from .core.tensor import Tensor
from .core.warn_always import is_warn_always_enabled, set_warn_always
from .device_modules import _register_device_module, get_device_module
from .opdef.tags import Tag
from .ops.python.construct import as_tensor, asarray, from_numpy, frombuffer, tensor
from .ops.python.exchange import from_dlpack, to_dlpack
from .ops.python.queries import (
    is_complex,
    is_conj,
    is_floating_point,
    is_inference,
    is_neg,
    is_signed,
    is_tensor,
    numel,
    typename,
)
from .ops.python.storage import UntypedStorage, is_storage
from .ops.random.generator import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .streams import Event, Stream
from .symbolic_numbers import (
    SymBool,
    SymFloat,
    SymInt,
    sym_float,
    sym_fresh_size,
    sym_int,
    sym_ite,
    sym_max,
    sym_min,
    sym_not,
    sym_sqrt,
    sym_sum,
)
from .threads import (
    get_num_interop_threads,
    get_num_threads,
    set_flush_denormal,
    set_num_interop_threads,
    set_num_threads,
)
from .torch_version import __version__
from .version import mindtorch as __mindtorch_version__
from .vitals import set_vital

newaxis = None
has_lapack = has_spectral = True
has_mkl = has_openmp = has_mkldnn = has_cuda = has_cudnn = has_mps = False
torch = _modules[__name__]  # torch.torch, which programs have come to use

globals().update(_DTYPES)
globals().update(_TENSOR_TYPES)
globals().update(_STORAGES)
Storage = _STORAGES["FloatStorage"]
StorageBase = UntypedStorage
globals().update(_OLDER_AUTOCAST)

from . import _C, autograd, overrides  # noqa: E402  what stands on tensors comes after them

_ROOMS = frozenset("""
    _C
    _VF
    __future__
    _custom_op
    _custom_ops
    _dynamo
    _guards
    _inductor
    _higher_order_ops
    _functorch
    _ops
    _jit_internal
    _subclasses
    _tensor
    _tensor_str
    _utils
    _vmap_internals
    ao
    classes
    distributed
    distributions
    export
    fft
    func
    functional
    futures
    fx
    hub
    jit
    library
    linalg
    masked
    monitor
    multiprocessing
    nested
    nn
    onnx
    optim
    profiler
    quantization
    quasirandom
    return_types
    serialization
    signal
    sparse
    special
    testing
    types
    utils
""".split())
# Names of torch itself that stand in a room.
_IN_ROOMS = {"Future": "futures", "PyTorchFileReader": "serialization.zip_reader", "ScriptFunction": "jit",
             "ScriptModule": "jit", "JITException": "jit:Error", "cond": "control_flow", "while_loop": "control_flow",
             "vmap": "func", "_segment_reduce": "_VF:segment_reduce", "_disable_dynamo": "_compile",
             "windows": "signal", "load": "serialization", "save": "serialization",
             "PyTorchFileWriter": "serialization.zip_writer",
             **dict.fromkeys(("AnyType", "BoolType", "ComplexType", "DeviceObjType", "FloatType", "IntType",
                              "NoneType", "NumberType", "PyObjectType", "StreamObjType", "StringType",
                              "SymBoolType", "SymIntType", "TensorType"), "jit.types"),
             **dict.fromkeys("""
                 _assert_async _coalesce _conj_physical _cummax_helper _cummin_helper _debug_has_internal_overlap
                 _indices_copy _is_zerotensor _linalg_check_errors _logcumsumexp
                 _nested_compute_contiguous_strides_offsets _nested_from_padded _nested_from_padded_and_nested_example
                 _nested_get_values _nested_tensor_from_mask _nested_tensor_from_mask_left_aligned
                 _nested_tensor_from_tensor_list _nested_tensor_softmax_with_shape _nested_view_from_buffer
                 _nested_view_from_jagged _pin_memory _reshape_alias_copy _sparse_csr_prod _sparse_csr_sum
                 _sparse_log_softmax_backward_data _sparse_softmax_backward_data _sparse_sparse_matmul _sparse_sum
                 _unsafe_index _unsafe_index_put _unsafe_masked_index _unsafe_masked_index_put_accumulate
                 _validate_sparse_bsc_tensor_args _validate_sparse_bsr_tensor_args
                 _validate_sparse_compressed_tensor_args _validate_sparse_coo_tensor_args
                 _validate_sparse_csc_tensor_args _validate_sparse_csr_tensor_args _values_copy""".split(), "_VF")}


_ELSEWHERE = ("fft_", "linalg_", "special_")  # functions that torch has in modules of their own


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS, *_IN_ROOMS, *filter(_is_function, _FUNCTIONS)})


def _is_function(name: str) -> bool:
    return name in _FUNCTIONS and not name.startswith(_ELSEWHERE)


def __getattr__(name: str):
    """Ops as functions, and the rooms above tensors, made and loaded when first asked for."""
    from importlib import import_module
    if _is_function(name):
        globals()[name] = _FUNCTIONS[name]
        return _FUNCTIONS[name]
    if name in _ROOMS:
        return import_module(f".{name}", __package__)
    if name in _IN_ROOMS:
        room, _, known_as = _IN_ROOMS[name].partition(":")
        return getattr(import_module(f".{room}", __package__), known_as or name)
    raise _missing_name(__package__, name)


def _load_library(path: str) -> None:
    from .library import replaced
    replaced.load(path)


_Work.load_library = _load_library
_answer_for_missing(__name__)

if "MINDTORCH_PROFILED_CHILD" in _environ:  # a program started this process that `mindtorch profile` runs
    from .cli.child_processes import begin as _begin
    _begin()
