# cython: annotation_typing=False
"""What a tensor is where it is more than strided memory: sparse, nested, batched, lazily conjugated.

A plain tensor has no kind, and calls on plain tensors never come here: every kind that lives is counted in
``modes.reasons``. Below autograd, ``dispatch/kinds.py`` hands a call to the kind of its arguments.
"""

from __future__ import annotations

from . import modes
from .device import strided


class Kind:
    """Base of all kinds. A kind holds what the tensor is made of; the tensor's own array shows shape and type."""

    rank = 0  # of several kinds among the arguments of a call, the one with the highest rank is asked
    layout = strided
    has_views = True  # a result that shares memory with such a tensor is its view
    holds_many = False  # whether it stands for many tensors at once, so that no one number can be read from it
    conj = neg = False  # whether its elements are to be conjugated, negated (core/pending.py)

    def __init__(self):
        modes.count_kind(1)

    def __del__(self):
        modes.count_kind(-1)

    def text(self, text_of) -> str | None:
        """What ``repr`` shows, given how other tensors are shown; None where it is as for any tensor."""
        return None

    def check_memory(self, name: str) -> None:
        """Complain where a member that speaks of memory (``stride``, ``data_ptr`` …) has no answer for this kind."""

    def check_single(self, text: str | None = None, error: type = RuntimeError) -> None:
        """Raise where the tensor stands for many, so that there is no one memory to show."""

    def check_format(self) -> None:
        """Raise where nobody can say whether the tensor lies in memory by channels."""

    @classmethod
    def compute(cls, op, args):
        """The result of an op, on arguments one of which is of this kind; dispatch.kinds.NO leaves it to the op."""
        raise NotImplementedError(f"Could not run '{op.event}' with arguments of the kind '{cls.__name__}'.")


def holds_many(*tensors) -> bool:
    """Whether one of the tensors stands for many, as under vmap: what depends on values is then worked out for all."""
    return any([tensor._mt_kind is not None and tensor._mt_kind.holds_many for tensor in tensors])


def first_of_many(*tensors):
    """The first tensor that stands for many, or None; parts of it are written into new tensors that are like it."""
    return next((tensor for tensor in tensors if tensor is not None and holds_many(tensor)), None)


def check_single(tensor, text: str | None = None, error: type = RuntimeError) -> None:
    """Refuse to show the memory of a tensor that stands for many, in torch's words."""
    if tensor._mt_kind is not None:
        tensor._mt_kind.check_single(text, error)
