"""torch._dynamo.config: settings of a compiler that is not here; programs may set what they like."""

from __future__ import annotations

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
