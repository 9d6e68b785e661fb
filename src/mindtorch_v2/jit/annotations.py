"""torch.jit.annotations: the words for types that programs import from here."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: F401, UP035  torch's addresses for typing's own

from .._jit_internal import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
    is_dict,
    is_list,
    is_optional,
    is_tuple,
)

__all__ = ["Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "List", "Tuple", "is_dict",
           "is_list", "is_optional", "is_tuple"]
