"""torch.ao.quantization: the places in a model where numbers would be quantized; nothing quantizes here."""

from ...core.missing_name import answer_for_missing as _answer_for_missing
from .bases import FakeQuantizeBase, ObserverBase
from .stubs import DeQuantStub, QuantStub, QuantWrapper

__all__ = ["DeQuantStub", "FakeQuantizeBase", "ObserverBase", "QuantStub", "QuantWrapper"]

_answer_for_missing(__name__)
