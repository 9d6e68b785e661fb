# cython: annotation_typing=False
"""The pass that a thread is in: what hooks may ask about it."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappop

from . import engine, reentrant, saved
from .anomaly import _Switch, explain, watch
from .grad_mode import is_multithreading_enabled
from .node import Accumulate, Node
from .node_classes import named


class _Innermost(threading.local):
    """The pass that a thread is in: its task, its number and where it began; how many passes are inside each other."""

    task = roots = None
    number = -1
    depth = 0


_thread = _Innermost()
_numbers = itertools.count()


def run(task, roots: list, grads: list) -> None:
    """Walk back, and let hooks find the task meanwhile; on another thread if this one is deep in passes already."""
    depth = _thread.depth
    if depth >= reentrant.DEEPEST:
        reentrant.on_another_thread(partial(_run, task, roots, grads, 1))
    else:
        _run(task, roots, grads, depth + 1)


def _run(task, roots: list, grads: list, depth: int) -> None:
    before = _thread.task, _thread.number, _thread.roots
    _thread.task, _thread.number, _thread.roots, _thread.depth = task, next(_numbers), roots, depth
    hooks = saved.entered()
    try:
        watch(task)
        engine.run(task, roots, grads)
    except Exception:
        explain(task)
        raise
    finally:
        saved.restore(hooks)
        _thread.task, _thread.number, _thread.roots = before
        _thread.depth = depth - 1


def current():
    """The innermost pass of this thread, or None."""
    return _thread.task


def is_selective() -> bool:
    """Whether the pass of this thread is to find certain gradients only."""
    task = current()
    return task is not None and task.needed is not None


def _is_checkpoint_valid() -> bool:
    """Whether a checkpoint may run what it left out: not while certain gradients only are to be found."""
    return not is_selective()


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
    return _thread.number


def _current_autograd_node():
    """The node that the pass of this thread is at, or None."""
    task = current()
    return None if task is None else named(task.current)


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


def _current_graph_task_execution_order() -> list[Node]:
    """The nodes of this thread's pass in the order in which it comes to them, from its beginning."""
    task = current()
    if task is None:
        raise RuntimeError("_current_graph_task_execution_order should only be called during the backward pass")
    if is_multithreading_enabled():
        raise RuntimeError("get_current_graph_task_execution_order expects the current backward to be executed with "
                           "multithreading disabled, e.g. by running:\n\n"
                           ">>> with torch.autograd.set_multithreading_enabled(False):\n"
                           "...     torch.autograd.grad(...)\n")
    again = engine.GraphTask(task.keep_graph, task.create_graph)
    again.needed, again.captures = task.needed, task.captures
    roots = list(dict.fromkeys(node for node, _ in _thread.roots))
    again.count_dependencies(roots)
    for node in roots:
        if again.waiting[node].missing == 0:
            again.push(node)
    return [named(node) for node in _in_order(again)]


def _in_order(task) -> Iterator[Node]:
    """The nodes that a pass comes to, without going through them."""
    while task.ready:
        node = heappop(task.ready)[2]
        if task.needed is None or node in task.needed or node in (task.captures or ()):
            yield node
        for following, _ in node.next_functions:
            if following is not None:
                task.waiting[following].missing -= 1
                if task.waiting[following].missing == 0:
                    task.push(following)


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
