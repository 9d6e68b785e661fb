"""torch.fx.passes: what is done with whole graphs."""

from ...core.missing_name import answer_for_missing as _answer_for_missing
from . import shape_prop

_answer_for_missing(__name__)
