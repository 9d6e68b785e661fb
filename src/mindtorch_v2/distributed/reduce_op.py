"""ReduceOp: how the tensors of several processes become one."""

from __future__ import annotations

from enum import IntEnum


class RedOpType(IntEnum):
    """The ways, in torch's order."""

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8

    def __str__(self) -> str:
        return f"RedOpType.{self.name}"


class _ReduceOpMeta(type):
    """Its members are of another class, and count as its instances all the same."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, RedOpType)


class ReduceOp(metaclass=_ReduceOpMeta):
    """The ways, by name: ``ReduceOp.SUM``."""

    RedOpType = RedOpType
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = RedOpType

    def __new__(cls, op: RedOpType) -> RedOpType:
        return RedOpType(op)


reduce_op = ReduceOp  # the older name
