"""checkpoint and checkpoint_sequential: which of the two ways to take."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ...nn.modules.container import Sequential
from .debug import Log, chosen_debug
from .reentrant import CheckpointFunction
from .region import noop_context_fn, run

_DEFAULT = ("use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can "
            "pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.")
UNCHOSEN = ("torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, "
            "calling checkpoint without use_reentrant will raise an exception. " + _DEFAULT)
UNCHOSEN_SEQUENTIAL = ("torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed "
                       "explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. "
                       + _DEFAULT)


def checkpoint(function: Callable, *args, use_reentrant: bool | None = None, context_fn: Callable = noop_context_fn,
               determinism_check: str = "default", debug: bool = False, early_stop: bool = True, **kwargs):
    """Call a function without keeping its intermediate values: backward runs it again."""
    if use_reentrant is None:
        warnings.warn(UNCHOSEN, stacklevel=2)
        use_reentrant = True
    preserve_rng_state = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    log = Log() if chosen_debug(debug) else None
    if log is not None:
        if context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        context_fn = log.contexts
    return run(function, args, kwargs, preserve_rng_state=preserve_rng_state, context_fn=context_fn,
               determinism_check=determinism_check, early_stop=early_stop, log=log)


def checkpoint_sequential(functions, segments: int, input, use_reentrant: bool | None = None, **kwargs):
    """Call functions one after the other, each segment of them but the last as one checkpoint."""
    if use_reentrant is None:
        warnings.warn(UNCHOSEN_SEQUENTIAL, stacklevel=2)
        use_reentrant = True
    preserve_rng_state = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if isinstance(functions, Sequential):
        functions = list(functions.children())
    size = len(functions) // segments
    last = 0
    for start in range(0, size * (segments - 1), size):
        last = start + size
        input = checkpoint(_in_a_row(functions[start:last]), input, use_reentrant=use_reentrant,
                           preserve_rng_state=preserve_rng_state)
    return _in_a_row(functions[last:])(input)


def _in_a_row(functions) -> Callable:
    def call_all(value):
        for function in functions:
            value = function(value)
        return value

    return call_all
