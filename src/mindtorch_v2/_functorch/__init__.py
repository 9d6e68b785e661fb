"""torch._functorch: addresses under which programs know what stands in func/."""

from ..core.missing_name import answer_for_missing as _answer_for_missing

_answer_for_missing(__name__)
