"""torch.ao: of it, the marks that models carry for quantization."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import quantization

_answer_for_missing(__name__)
