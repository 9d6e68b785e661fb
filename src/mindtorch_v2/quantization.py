"""torch.quantization: the older address of torch.ao.quantization."""

from .ao.quantization import DeQuantStub, FakeQuantizeBase, ObserverBase, QuantStub, QuantWrapper
from .core.missing_name import missing as _missing

__all__ = ["DeQuantStub", "FakeQuantizeBase", "ObserverBase", "QuantStub", "QuantWrapper"]
__getattr__ = _missing(__name__)
