"""torch._ops: the classes of what stands in torch.ops."""

from .api.namespace import Namespace as _OpNamespace
from .api.namespace import OpOverload, OpOverloadPacket
from .core.missing_name import missing_name as _missing_name

__all__ = ["HigherOrderOperator", "OpOverload", "OpOverloadPacket", "_OpNamespace"]  # noqa: F822  see below


def __getattr__(name: str):
    """What stands above ops, and torch.ops itself, loaded when somebody asks."""
    if name == "HigherOrderOperator":
        from ._higher_order_ops.operator import HigherOrderOperator
        return HigherOrderOperator
    if name == "ops":
        from . import ops
        return ops
    raise _missing_name(__name__, name)
