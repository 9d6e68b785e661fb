"""ReduceOp: how the tensors of several processes become one; of one process's, every way gives the same."""

from __future__ import annotations

from enum import IntEnum


class ReduceOp(IntEnum):
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
    UNUSED = 9


ReduceOp.RedOpType = ReduceOp
reduce_op = ReduceOp  # the older name
