"""torch.func: modules as functions of their parameters."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .functional_call import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state"]

_answer_for_missing(__name__)
