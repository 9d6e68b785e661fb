"""torch._higher_order_ops.cond: torch.cond at its other address."""

from ..control_flow import cond
from .control_flow_ops import cond_op

__all__ = ["cond", "cond_op"]
