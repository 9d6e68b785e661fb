"""torch.jit: programs that would be scripted or traced run as Python; files of such programs are refused."""

from collections import namedtuple
from typing import Any, Final

from .._jit_internal import (
    _isinstance,
    _overload,
    _overload_method,
    export,
    ignore,
    is_scripting,
    unused,
)
from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..futures import Future, check_futures
from . import annotations
from .modules import (
    RecursiveScriptModule,
    ScriptFunction,
    ScriptModule,
    ScriptWarning,
    TopLevelTracedModule,
    TracerWarning,
)
from .switches import (
    enable_onednn_fusion,
    fuser,
    onednn_fusion_enabled,
    optimized_execution,
    set_fusion_strategy,
    strict_fusion,
)
from .translate import (
    Error,
    TracingCheckError,
    _get_trace_graph,
    freeze,
    is_tracing,
    load,
    optimize_for_inference,
    save,
    script,
    script_if_tracing,
    script_method,
    trace,
    trace_module,
)

__all__ = ["Attribute", "Error", "Future", "ScriptFunction", "ScriptModule", "annotate", "enable_onednn_fusion",
           "export", "fork", "freeze", "ignore", "interface", "isinstance", "load", "onednn_fusion_enabled",
           "optimize_for_inference", "save", "script", "script_if_tracing", "set_fusion_strategy", "strict_fusion",
           "trace", "trace_module", "unused", "wait"]

Attribute = namedtuple("Attribute", ["value", "type"])  # noqa: PYI024  torch's own form
_script_if_tracing = script_if_tracing


def annotate(the_type: type, the_value: Any) -> Any:
    """A value, and its type for a compiler."""
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether a value is of a type, what is inside containers too."""
    return _isinstance(obj, target_type)


def interface(obj: type) -> type:
    """Mark a class as an interface; it stays what it is."""
    return obj


def fork(func, *args, **kwargs) -> Future:
    """Call a function now, and give a future of its result."""
    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future: Future) -> Any:
    """The result of a future."""
    check_futures([future])
    return future.wait()


_fork, _wait = fork, wait
_answer_for_missing(__name__)
