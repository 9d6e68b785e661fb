"""torch._higher_order_ops.while_loop: torch.while_loop at its other address."""

from ..control_flow import while_loop
from .control_flow_ops import while_loop_op

__all__ = ["while_loop", "while_loop_op"]
