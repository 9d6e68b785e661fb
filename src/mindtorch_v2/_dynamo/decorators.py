"""torch._dynamo.decorators: what PyTorch notes on tensors that it saves."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..ops.nested.size_range import _DimRange  # noqa: F401  by this name files call it

_answer_for_missing(__name__)
