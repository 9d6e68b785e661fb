"""torch._subclasses: tensors without values, of torch's compiler; there are none, but programs ask for them."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import fake_tensor
from .fake_tensor import FakeTensor

_answer_for_missing(__name__)
