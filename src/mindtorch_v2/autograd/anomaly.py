"""detect_anomaly: which forward call made the gradient that went wrong."""

from __future__ import annotations

import sys
import traceback
import warnings

import numpy as np

from ..core.dtype import FLOATING
from . import node as nodes


class _Switch:
    on = False
    check_nan = True
    current = staticmethod(lambda: None)  # the node that this thread's pass is at; passes.py says


def _turn(on: bool, check_nan: bool) -> tuple[bool, bool]:
    """Switch detection and hand back what it was."""
    before = (_Switch.on, _Switch.check_nan)
    _Switch.on, _Switch.check_nan = on, check_nan
    nodes.remember_with(remember if on else None)
    return before


def is_anomaly_enabled() -> bool:
    return _Switch.on


def is_anomaly_check_nan_enabled() -> bool:
    return _Switch.check_nan


class set_detect_anomaly:  # noqa: N801  torch's name
    """Switch anomaly detection, for good or for a block."""

    def __init__(self, mode: bool, check_nan: bool = True):
        self.before = _turn(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *args) -> None:
        _turn(*self.before)


class detect_anomaly:  # noqa: N801  torch's name
    """Remember where each node was made, and refuse NaN in backward."""

    def __init__(self, check_nan: bool = True):
        self.check_nan = check_nan
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
                      "enabled for debugging.", stacklevel=2)

    def __enter__(self) -> None:
        self.before = _turn(True, self.check_nan)

    def __exit__(self, *args) -> None:
        _turn(*self.before)


def remember(node) -> None:
    """Keep the Python stack of the call that made a node, and the node in whose derivative that was."""
    node.metadata["traceback_"] = traceback.format_stack()[:-1]
    parent = _Switch.current()
    if parent is not None:
        node.metadata["parent_"] = parent


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Look at every node's gradients from now on, or no more."""
    _turn(bool(enabled), bool(check_nan))


def watch(task) -> None:
    """Have every node's gradients looked at in a pass that begins, if detection is on."""
    task.watch = check if _Switch.on else None


def explain(task) -> None:
    """Say where the node was made at which a pass has failed, if detection is on."""
    if _Switch.on and task.current is not None:
        tell(task.current)


def tell(node) -> None:
    """Say where in the forward pass a node was made that failed; warnings that are errors go to stderr."""
    try:
        _tell(node)
    except Warning as warning:
        sys.stderr.write(f"{type(warning).__name__}: {warning}\n")


def _tell(node) -> None:
    told = node.metadata.get("traceback_")
    if not told:
        warnings.warn(f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly "
                      "during forward pass for more information.", stacklevel=2)
        return
    warnings.warn(f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{''.join(told)}",
                  stacklevel=2)
    parent = node.metadata.get("parent_")
    while parent is not None:
        told = parent.metadata.get("traceback_")
        if not told:
            warnings.warn("No forward pass information available. Enable detect anomaly during forward pass for more "
                          "information.", stacklevel=2)
            return
        warnings.warn(f"\n\nPrevious calculation was induced by {parent.name()}. Traceback of forward call that "
                      f"induced the previous calculation:\n{''.join(told)}", stacklevel=2)
        parent = parent.metadata.get("parent_")


def check(node, grads) -> None:
    """Complain about the node that made the first NaN, and show the call it belongs to."""
    if not _Switch.check_nan:
        return
    for i, grad in enumerate(grads):
        if grad is not None and grad.dtype.category >= FLOATING and np.isnan(grad._mt_array).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {i}th output.")
