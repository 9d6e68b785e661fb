"""torch._higher_order_ops: functions that call others in a way that a compiler could follow."""

from ..control_flow import cond, while_loop
from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import control_flow_ops, operator
from .associative_scan import associative_scan
from .map import map
from .scan import scan

__all__ = ["associative_scan", "cond", "map", "scan", "while_loop"]
_answer_for_missing(__name__)
