"""torch.compile: the function as it is, and a warning that nothing is compiled."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from .backends import check_backend, get_default_backend

_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")
_NOTHING = ("mindtorch_v2 compiles nothing: torch.compile() returns what it is given, which runs as it is (this is "
            "said once)")
_warned = False


def compile(model: Callable | None = None, *, fullgraph: bool = False, dynamic: bool | None = None,
            backend: str | Callable | None = None, mode: str | None = None, options: dict | None = None,
            name: str | None = None, disable: bool = False, recompile_limit: int | None = None,
            isolate_recompiles: bool = False, shapes_spec=None) -> Callable:
    """The model or function itself, or a decorator that gives it back; arguments are checked as torch's."""
    if model is None:
        return lambda model: compile(model, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode,
                                     options=options, disable=disable)
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    chosen = get_default_backend() if backend is None else backend
    if mode is not None and mode not in _MODES and chosen == "inductor":
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    check_backend(chosen)
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    if not disable:
        _warn_once()
    return model


def _warn_once() -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(_NOTHING, UserWarning, stacklevel=3)
