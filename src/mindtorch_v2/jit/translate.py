"""script, trace and what saves their results: functions and modules stay Python's, files are refused."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

from ..nn.modules.module import Module

_said: set[str] = set()
_FILES = ("torch.jit.{} is not in mindtorch_v2: there is no TorchScript, whose programs these files hold. Use "
          "torch.save(module.state_dict(), path) and module.load_state_dict(torch.load(path))")


class Error(Exception):  # noqa: N818  torch's name
    """What torch's interpreter of scripts raises; for except clauses."""


class TracingCheckError(Exception):
    """What torch raises where a traced function answers differently; for except clauses."""


def _say_once(name: str) -> None:
    if name not in _said:
        _said.add(name)
        warnings.warn(f"mindtorch_v2 compiles nothing: torch.jit.{name} returns what it is given, which runs as Python "
                      "(this is said once)", UserWarning, stacklevel=3)


def script(obj: Any, optimize: None = None, _frames_up: int = 0, _rcb=None, example_inputs=None) -> Any:
    """The function, class or module itself, which runs as Python."""
    if not callable(obj):
        if isinstance(obj, (list, dict)):
            return obj
        raise TypeError(f"{type(obj)} is a built-in class")
    _say_once("script")
    return obj


def script_method(fn: Callable) -> Callable:
    """The method itself."""
    return fn


def script_if_tracing(fn: Callable) -> Callable:
    """The function itself: nothing is traced."""
    return fn


def is_tracing() -> bool:
    """Whether a trace is being made."""
    return False


def trace(func: Callable, example_inputs=None, optimize=None, check_trace: bool = True, check_inputs=None,
          check_tolerance: float = 1e-5, strict: bool = True, _force_outplace: bool = False, _module_class=None,
          _compilation_unit=None, example_kwarg_inputs: dict | None = None, _store_inputs: bool = True) -> Callable:
    """The function or module itself, called once with the example as torch does; its branches stay branches."""
    if example_kwarg_inputs is not None:
        func(**example_kwarg_inputs)
    elif isinstance(example_inputs, (list, tuple)):
        func(*example_inputs)
    elif example_inputs is not None:
        func(example_inputs)
    else:
        raise RuntimeError("example_kwarg_inputs should be a dict")
    _say_once("trace")
    return func


def trace_module(mod: Module, inputs: dict[str, Any], optimize: Any = None, check_trace: bool = True,
                 check_inputs: Any = None, check_tolerance: float = 1e-5, strict: bool = True,
                 _force_outplace: bool = False, _module_class: Any = None, _compilation_unit: Any = None,
                 example_inputs_is_kwarg: bool = False, _store_inputs: bool = True) -> Module:
    """The module itself, its methods called once with their examples."""
    for method, example in inputs.items():
        if example_inputs_is_kwarg:
            getattr(mod, method)(**example)
        else:
            getattr(mod, method)(*(example if isinstance(example, tuple) else (example,)))
    _say_once("trace")
    return mod


def _get_trace_graph(f: Callable, args=(), kwargs=None, *options) -> NoReturn:
    """Refused: there are no graphs of traces. Counters of FLOPs ask for one."""
    raise NotImplementedError("mindtorch_v2 traces no graphs; torch.utils.flop_counter counts FLOPs as they are done, "
                              "and torch.fx.symbolic_trace follows modules")


def freeze(mod: Module, preserved_attrs: list[str] | None = None, optimize_numerics: bool = True) -> Module:
    """The module itself, which must be in evaluation mode."""
    if getattr(mod, "training", False):
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on "
                           "your module before freezing.")
    return mod


def optimize_for_inference(mod: Module, other_methods: list[str] | None = None) -> Module:
    """The module itself."""
    return mod


def save(m, f, _extra_files: dict | None = None) -> NoReturn:
    """Refused: there is no script to save."""
    raise RuntimeError(_FILES.format("save"))


def load(f, map_location=None, _extra_files: dict | None = None, _restore_shapes: bool = False) -> NoReturn:
    """Refused: there is nothing that could run a script from a file."""
    if isinstance(f, (str, os.PathLike)):
        if not os.path.exists(f):
            raise ValueError(f"The provided filename {f} does not exist")
        if os.path.isdir(f):
            raise ValueError(f"The provided filename {f} is a directory")
    raise RuntimeError(_FILES.format("load"))
