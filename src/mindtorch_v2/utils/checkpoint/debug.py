"""What a checkpoint did, first and again, for those who look for the difference."""

from __future__ import annotations

import traceback
from contextlib import contextmanager

from ...core.mode_stack import TorchDispatchMode
from ...core.tensor import Tensor
from .._pytree import tree_map_only

TIP = """

Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\u2011debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""
ERROR = """ ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 tensors to be saved during the original forward and differ between those saved
 during recomputation. This can happen if different operators were ran in the
 original forward and in the recomputation.
"""


class _Debug:
    chosen: bool | None = None  # overrides what each checkpoint says


def chosen_debug(debug: bool) -> bool:
    """Whether a checkpoint that is made now keeps a log."""
    return debug if _Debug.chosen is None else _Debug.chosen


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None):
    """Whether checkpoints made in the block keep logs, whatever they say themselves; None leaves it to them."""
    before, _Debug.chosen = _Debug.chosen, enabled
    try:
        yield
    finally:
        _Debug.chosen = before


class _OpLog(TorchDispatchMode):
    """Notes every op, and where it was called."""

    def __init__(self):
        super().__init__()
        self.calls: list[tuple[str, str]] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        given = [repr(value) for value in tree_map_only(Tensor, _Shown, args)]
        self.calls.append((f"torch._ops.{func}({', '.join(given)})", "".join(traceback.format_stack()[:-1])))
        return func(*args, **(kwargs or {}))


class _Shown:
    """A tensor in a log: its type and shape."""

    def __init__(self, tensor: Tensor):
        self.text = f"{tensor.dtype.name}{list(tensor.shape)}"

    def __repr__(self) -> str:
        return self.text


class Log:
    """The ops of forward, and of the last time that the function ran again."""

    def __init__(self):
        self.first, self.again = _OpLog(), _OpLog()

    def contexts(self):
        return self.first, self.again

    def told(self) -> str:
        """Everything that ran, with stacks, then the short lists, then what went wrong."""
        return "\n".join([
            " An error happened while unpacking tensors; dumping logs of latest computation\nbecause you passed "
            "`debug=True` to `torch.utils.checkpoint.checkpoint()`.\nScroll all the way down for guidance on how to "
            "navigate these logs.\n",
            "1. Stack traces of the operators that ran in the original forward\n", *_stacks(self.first, "original"),
            "2. Stack traces of the operators that ran during recomputation\n", *_stacks(self.again, "recompute"),
            "3. Log of operators in the original forward and recomputation\n",
            "Operations executed during the original forward:\n", *[name for name, _ in self.first.calls],
            "\nOperations executed during recomputation:\n", *[name for name, _ in self.again.calls], "", ERROR])


def _stacks(log: _OpLog, when: str) -> list[str]:
    n = len(log.calls)
    return [f"{name}   ({i} of {n} in {when})\n\n{stack}" for i, (name, stack) in enumerate(log.calls, 1)]
