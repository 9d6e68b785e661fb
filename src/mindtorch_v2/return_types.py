"""torch.return_types: the classes of results with names, as the ops declare them."""

from __future__ import annotations

from .core.missing_name import missing as _missing
from .opdef.results import NAMED as _NAMED

globals().update(_NAMED)
all_return_types = list(_NAMED.values())
__all__ = ["all_return_types", *_NAMED]
__getattr__ = _missing(__name__)
