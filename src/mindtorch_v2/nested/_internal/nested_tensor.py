"""torch.nested._internal.nested_tensor: the class of jagged tensors."""

from ...core.missing_name import answer_for_missing as _answer_for_missing
from ...ops.nested.jagged import NestedTensor, jagged_from_list, jagged_view

__all__ = ["NestedTensor", "jagged_from_list", "jagged_view"]

_answer_for_missing(__name__)
