"""torch._dynamo.config: settings of a compiler that is not here; programs may set what they like."""

from __future__ import annotations

import sys
from contextlib import ContextDecorator
from typing import Any

from ..compiler.config import (  # noqa: F401  the settings both have
    accumulated_recompile_limit,
    assume_static_by_default,
    automatic_dynamic_shapes,
    capture_dynamic_output_shape_ops,
    capture_scalar_outputs,
    dynamic_shapes,
    fail_on_recompile_limit_hit,
    recompile_limit,
    verbose,
)

suppress_errors = False
disable = False
cache_size_limit = recompile_limit
accumulated_cache_size_limit = accumulated_recompile_limit
optimize_ddp = True
inline_inbuilt_nn_modules = True
allow_unspec_int_on_nn_module = False
compiled_autograd = False
force_parameter_static_shapes = True
log_level = None
# Switches that change nothing here; programs patch them by name.
_OFF = """
    allow_empty_graphs allow_ignore_mark_dynamic allow_rnn caching_precompile capture_profiler_record_function
    constant_fold_autograd_profiler_enabled cprofile do_not_emit_runtime_asserts dont_skip_tracing
    enable_compiler_collectives enable_trace_load_build_class enable_trace_unittest error_on_recompile generate_pycode
    install_free_tensors nested_graph_breaks only_allow_pt2_compliant_ops optimize_ddp_lazy_compile
    prefer_deferred_runtime_asserts_over_guards prepare_freezing replay_record_enabled specialize_float specialize_int
    trace_autograd_ops use_graph_deduplication use_numpy_random_stream verify_correctness wrap_top_frame"""
_ON = """
    automatic_dynamic_local_pgo capture_autograd_function capture_func_transforms capture_sparse_compute
    enable_cpp_guard_manager enable_faithful_generator_behavior enable_trace_contextlib error_on_nested_fx_trace
    error_on_nested_jit_trace fake_tensor_cache_enabled force_nn_module_property_static_shapes
    graph_break_on_nn_param_ctor guard_nn_modules log_compilation_metrics report_guard_failures
    rewrite_assert_with_torch_assert skip_fsdp_guards skip_nnmodule_hook_guards skip_torchrec trace_numpy
    use_lazy_graph_module"""
globals().update(dict.fromkeys(_OFF.split(), False), **dict.fromkeys(_ON.split(), True))


class patch(ContextDecorator):  # noqa: N801  torch's name
    """Other settings within a block or a function: ``patch(name=value)``, ``patch("name", value)``, ``patch({…})``."""

    def __init__(self, arg1: str | dict[str, Any] | None = None, arg2: Any = None, **kwargs: Any):
        given = {arg1: arg2} if isinstance(arg1, str) else dict(arg1 or {})
        self._changes, self._before = given | kwargs, []
        for name in self._changes:
            if not hasattr(sys.modules[__name__], name):
                raise AttributeError(f"torch._dynamo.config.{name} does not exist")

    def __enter__(self) -> None:
        config = sys.modules[__name__]
        self._before.append({name: getattr(config, name) for name in self._changes})
        for name, value in self._changes.items():
            setattr(config, name, value)

    def __exit__(self, *_) -> None:
        for name, value in self._before.pop().items():
            setattr(sys.modules[__name__], name, value)
