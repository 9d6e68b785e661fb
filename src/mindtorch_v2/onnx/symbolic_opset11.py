"""torch.onnx.symbolic_opset11: imported by libraries that would export ops; it holds none."""

from ..core.missing_name import missing as _missing

__getattr__ = _missing(__name__)
