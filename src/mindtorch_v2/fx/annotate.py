"""torch.fx.annotate: a type for what a traced value is."""

from __future__ import annotations

from typing import Any

from .proxy import Proxy

__all__ = ["annotate"]


def annotate(val: Any, type: Any) -> Any:
    """The value; of one that is being traced, the node has a type from now on."""
    if isinstance(val, Proxy):
        if val.node.type:
            raise RuntimeError(f"Tried to annotate a value that already had a type on it! Existing type is "
                               f"{val.node.type} and new type is {type}. This could happen if you tried to annotate a "
                               "function parameter value (in which case you should use the type slot on the function "
                               "signature) or you called annotate on the same value twice")
        val.node.type = type
    return val
