"""Conjugates and negatives that are carried out when elements are read: the kind of such a tensor."""

from __future__ import annotations

from .kinds import Kind
from .tensor import share_storage


class Pending(Kind):
    """Memory whose elements are to be conjugated, negated or both."""

    rank = 1
    answer = None  # how ops are answered, which ops/view/pending_ops.py says

    def __init__(self, conj: bool, neg: bool):
        super().__init__()
        self.conj, self.neg = conj, neg

    @classmethod
    def compute(cls, op, args):
        return cls.answer(op, args)


def is_conj(tensor) -> bool:
    """Whether a tensor's elements are to be conjugated."""
    return tensor._mt_kind is not None and tensor._mt_kind.conj


def is_neg(tensor) -> bool:
    """Whether a tensor's elements are to be negated."""
    return tensor._mt_kind is not None and tensor._mt_kind.neg


def toggle(tensor, conj: bool = False, neg: bool = False):
    """Give a new view of a tensor, which nobody else has yet, one more conjugation or negation, or take it away."""
    conj, neg = is_conj(tensor) != conj, is_neg(tensor) != neg
    tensor._mt_kind = Pending(conj, neg) if conj or neg else None
    return tensor


def memory_of(tensor):
    """A tensor on the same memory that shows the elements as they are stored."""
    stored = share_storage(tensor, tensor._mt_array)
    stored._mt_kind = None
    return stored
