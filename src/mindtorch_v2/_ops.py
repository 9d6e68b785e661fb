"""torch._ops: the classes of what stands in torch.ops."""

from .api.namespace import Namespace as _OpNamespace
from .api.namespace import OpOverload, OpOverloadPacket
from .core.missing_name import missing as _missing

__all__ = ["OpOverload", "OpOverloadPacket", "_OpNamespace"]
__getattr__ = _missing(__name__)
