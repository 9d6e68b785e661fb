"""torch._functorch.apis: vmap under its other address."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..func.vmap import vmap

__all__ = ["vmap"]

_answer_for_missing(__name__)
