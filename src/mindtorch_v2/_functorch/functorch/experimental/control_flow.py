"""functorch.experimental.control_flow: torch.cond under its older name."""

from ....control_flow import cond
from ....core.missing_name import missing as _missing

__all__ = ["cond"]
__getattr__ = _missing(__name__)
