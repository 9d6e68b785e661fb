"""torch._subclasses: tensors without values that stand for tensors on a device."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import fake_tensor
from .fake_errors import DynamicOutputShapeException, UnsupportedFakeTensorException
from .fake_tensor import FakeTensor, FakeTensorMode

__all__ = ["DynamicOutputShapeException", "FakeTensor", "FakeTensorMode", "UnsupportedFakeTensorException"]

_answer_for_missing(__name__)
