"""Walks over the event tree."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from operator import attrgetter

_children = attrgetter("children")


def traverse_dfs(tree, *, children_fn: Callable = _children) -> Iterator:
    """Parents before children, siblings in order."""
    waiting = list(reversed(tree))
    while waiting:
        event = waiting.pop()
        yield event
        waiting.extend(reversed(children_fn(event)))


def traverse_bfs(tree, *, children_fn: Callable = _children) -> Iterator:
    """Level by level."""
    waiting = deque(tree)
    while waiting:
        event = waiting.popleft()
        yield event
        waiting.extend(children_fn(event))
