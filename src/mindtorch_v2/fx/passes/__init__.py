"""torch.fx.passes: what goes over whole graphs."""

from ...core.missing_name import answer_for_missing as _answer_for_missing
from . import shape_prop

__all__ = ["shape_prop"]

_answer_for_missing(__name__)
