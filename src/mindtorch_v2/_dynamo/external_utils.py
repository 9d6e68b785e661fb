"""torch._dynamo.external_utils: whether the caller is being compiled."""

from ..compiler import is_compiling

__all__ = ["is_compiling"]
