"""Which functions ask ``__torch_function__``, which do not, and stand-ins with their parameters."""

from __future__ import annotations

import collections
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from . import fft, functional, linalg, special, torch
from .core.tensor import Tensor
from .dispatch.packet import Packet
from .nn import functional as nn_functional
from .nn import init

# Functions that make tensors of nothing, ask about the process or set it up, as PyTorch lists them.
_IGNORED = {
    "torch": (torch, """
        _functional_sym_constrain_range arange are_deterministic_algorithms_enabled as_strided as_tensor asarray
        autocast_decrement_nesting autocast_increment_nesting bartlett_window blackman_window broadcast_shapes can_cast
        clear_autocast_cache compile cond cudnn_is_acceptable device dtype empty empty_permuted empty_quantized
        empty_strided enable_grad eye fill finfo fork from_file from_numpy frombuffer full get_autocast_cpu_dtype
        get_autocast_dtype get_autocast_gpu_dtype get_default_device get_default_dtype get_deterministic_debug_mode
        get_device_module get_float32_matmul_precision get_num_interop_threads get_num_threads get_rng_state
        hamming_window hann_window iinfo inference_mode init_num_threads initial_seed is_anomaly_check_nan_enabled
        is_anomaly_enabled is_autocast_cache_enabled is_autocast_cpu_enabled is_autocast_enabled
        is_deterministic_algorithms_warn_only_enabled is_grad_enabled is_inference_mode_enabled is_storage is_tensor
        is_vulkan_available is_warn_always_enabled kaiser_window layout linspace load logspace manual_seed
        memory_format no_grad normal ones promote_types rand rand_like randint randint_like randn randn_like randperm
        range result_type save scalar_tensor seed set_anomaly_enabled set_autocast_cache_enabled
        set_autocast_cpu_dtype set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
        set_default_device set_default_tensor_type set_deterministic_debug_mode set_float32_matmul_precision
        set_flush_denormal set_grad_enabled set_num_interop_threads set_num_threads set_printoptions set_rng_state
        set_warn_always sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor
        sparse_csc_tensor sparse_csr_tensor sym_constrain_range sym_constrain_range_for_size sym_fresh_size tensor
        tril_indices triu_indices typename use_deterministic_algorithms vander vmap wait zeros"""),
    "torch.Tensor": (Tensor, """
        __delitem__ __init__ __iter__ __new__ __torch_dispatch__ __torch_function__ _conj _conj_physical _is_zerotensor
        _make_subclass _make_wrapper_subclass _neg_view _to_sparse _typed_storage as_subclass new new_empty
        new_empty_strided new_full new_ones new_tensor new_zeros stride to_padded_tensor to_sparse_bsc to_sparse_bsr
        to_sparse_coo to_sparse_csc to_sparse_csr unflatten"""),
    "torch.nn.functional": (nn_functional, """
        boolean_dispatch grouped_mm handle_torch_function hardsigmoid hardswish has_torch_function
        has_torch_function_unary has_torch_function_variadic scaled_grouped_mm scaled_mm sigmoid tanh upsample
        upsample_bilinear upsample_nearest"""),
    "torch.nn.init": (init, """
        calculate_gain constant dirac eye kaiming_normal kaiming_uniform normal orthogonal sparse uniform xavier_normal
        xavier_uniform"""),
    "torch.functional": (functional, "broadcast_shapes"), "torch.fft": (fft, "fftfreq rfftfreq"),
    "torch.linalg": (linalg, ""), "torch.special": (special, "")}


@functools.cache
def ignored_functions() -> set[Callable]:
    """The functions that ask nobody."""
    return {getattr(owner, name) for owner, names in _IGNORED.values() for name in names.split()
            if hasattr(owner, name) and getattr(owner, name).__hash__ is not None}


def _is_ours(value: Any) -> bool:
    """Whether something was written here, and is no class or module."""
    if isinstance(value, (type, types.ModuleType)):
        return False
    return isinstance(value, Packet) or getattr(value, "__module__", "").startswith((__package__, "torch"))


def _functions_of(owner: Any) -> dict[str, Callable]:
    """The functions of a module by their names; of Tensor, methods and the readers of properties."""
    members: dict[str, Callable] = {}
    for name in dir(owner):
        if owner is Tensor and (name.startswith("_mt_")
                                or getattr(object, name, None) is getattr(Tensor, name, None)):
            continue
        value = getattr(owner, name)
        if owner is Tensor and not callable(value) and hasattr(value, "__get__"):
            members[f"{name}.__get__"] = value.__get__
        elif callable(value) and (owner is Tensor or _is_ours(value)):
            members[name] = value
    return members


@functools.cache
def _overridable() -> tuple[dict[Any, list[Callable]], dict[Callable, str]]:
    """The functions that ask, by who has them; and the names of all functions."""
    functions, names = collections.defaultdict(list), {}
    for address in ("torch", "torch.functional", "torch.nn.functional", "torch.nn.init", "torch.Tensor", "torch.linalg",
                    "torch.fft", "torch.special"):
        owner = _IGNORED[address][0]
        for name, function in _functions_of(owner).items():
            if function.__hash__ is None:
                continue
            names[function] = f"{address}.{name}"
            inner = owner is not Tensor and (name.startswith("_") or name.endswith("_") or not name[0].islower())
            if not inner and function not in ignored_functions():
                functions[getattr(owner, name.removesuffix(".__get__")) if name.endswith("__get__") else owner].append(
                    function)
    return dict(functions), names


def overridable_functions() -> dict[Any, list[Callable]]:
    """The functions that ask, by who has them; the reader of a property stands under the property."""
    return _overridable()[0]


def name_of_function(function: Callable) -> str | None:
    """The full name of a function of torch's."""
    return _overridable()[1].get(function)


def _parameters(function: Callable) -> str:
    """A function's parameters as Python writes them."""
    if isinstance(function, Packet):
        texts, starred = [], False
        for param in function.first.schema.params:
            if param.keyword_only and not starred:
                starred = True
                texts.append("*")
            named = "input" if param.name == "self" and "input" not in function.first.index else param.name
            name = param.name if function.is_method else named
            name = f"{name}_" if name in ("from", "lambda") else name
            texts.append(f"{name}=None" if param.has_default or any("=" in text for text in texts) else name)
        if any(op.is_out for op in (*function.ops, *function.into_several)) and "out" not in function.first.index:
            texts += ["*"] * (not starred) + ["out=None"]
        return ", ".join(texts)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "*args, **kwargs"
    plain = [p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else None)
             for p in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))[1:-1]


@functools.cache
def testing_overrides() -> dict[Callable, Callable]:
    """For every function that asks, one with the same parameters that returns -1."""
    every = (function for functions in overridable_functions().values() for function in functions)
    return {function: eval(f"lambda {_parameters(function)}: -1") for function in every}  # noqa: S307  its own text
