"""torch._inductor: the compiler behind torch.compile, which is not here; its settings can be set."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import config

__all__ = ["config"]
_answer_for_missing(__name__)
