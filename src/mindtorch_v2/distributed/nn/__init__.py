"""torch.distributed.nn: what processes do together, through which gradients go."""

from ...autograd.function import Function
from ..process_group import group
from ..reduce_op import ReduceOp
from .functional import (
    all_gather,
    all_reduce,
    all_to_all,
    all_to_all_single,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    scatter,
)

__all__ = ["Function", "ReduceOp", "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather",
           "group", "reduce", "reduce_scatter", "scatter"]
