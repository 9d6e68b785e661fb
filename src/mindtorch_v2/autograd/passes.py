"""The pass that a thread is in: what hooks may ask about it."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable

from . import engine, saved
from .anomaly import _Switch, watching
from .node import Accumulate, Node

_thread = threading.local()
_numbers = itertools.count()


def run(task, roots: list, grads: list) -> None:
    """Walk back, and let hooks find the task meanwhile."""
    before = current(), _current_graph_task_id(), getattr(_thread, "roots", None)
    _thread.task, _thread.number, _thread.roots = task, next(_numbers), roots
    hooks = saved.entered()
    try:
        with watching(task):
            engine.run(task, roots, grads)
    finally:
        saved.restore(hooks)
        _thread.task, _thread.number, _thread.roots = before


def current():
    """The innermost pass of this thread, or None."""
    return getattr(_thread, "task", None)


def is_selective() -> bool:
    """Whether the pass of this thread is to find certain gradients only."""
    task = current()
    return task is not None and task.needed is not None


class Engine:
    """``torch.autograd.Variable._execution_engine``: what a pass in progress can be asked for."""

    @staticmethod
    def queue_callback(callback: Callable[[], None]) -> None:
        """Have a function called when the pass of this thread is done."""
        task = current()
        if task is None:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        task.callbacks.append(callback)


def _current_graph_task_id() -> int:
    """The number of the pass of this thread, counted over all passes; -1 outside one."""
    return getattr(_thread, "number", -1)


def _current_autograd_node():
    """The node that the pass of this thread is at, or None."""
    task = current()
    return None if task is None else task.current


_Switch.current = staticmethod(_current_autograd_node)


def _will_engine_execute_node(node) -> bool:
    """Whether the pass of this thread comes, or came, to a node."""
    if not isinstance(node, Node):
        raise RuntimeError(f"_will_engine_execute_node expects an grad_fn, but got {type(node).__name__}")
    task = current()
    if task is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    if task.captures is not None and isinstance(node, Accumulate):
        raise RuntimeError("A leaf node was passed to _will_engine_execute_node but we are currently running "
                           "autograd.grad(). This is currently not supported.")
    return node in task.needed if task.needed is not None else node in _reachable(_thread.roots)


def _reachable(roots: list) -> set[Node]:
    stack, seen = [node for node, _ in roots], set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack += [following for following, _ in node.next_functions if following is not None]
    return seen


def will_run(task, node) -> bool:
    """Whether a pass has still to come to a node."""
    asked_for = task.needed is None or node in task.needed or (task.captures is not None and node in task.captures)
    return asked_for and node in task.waiting
