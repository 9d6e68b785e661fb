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
