"""torch.fx.passes: what is done with whole graphs."""

from ...core.missing_name import answer_for_missing as _answer_for_missing
from . import infra, shape_prop, split_module, tools_common, utils

_answer_for_missing(__name__)
