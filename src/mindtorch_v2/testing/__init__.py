"""torch.testing: whether results are what they should be, with words that say how far they are off."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import _utils
from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor
from .file_check import FileCheck

__all__ = ["FileCheck", "assert_allclose", "assert_close", "make_tensor"]

_answer_for_missing(__name__)
