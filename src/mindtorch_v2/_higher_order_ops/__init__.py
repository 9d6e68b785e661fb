"""torch._higher_order_ops: functions that call others in a way that a compiler could follow."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .associative_scan import associative_scan

__all__ = ["associative_scan"]
_answer_for_missing(__name__)
