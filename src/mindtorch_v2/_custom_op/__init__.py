"""torch._custom_op: where ops that torch._custom_ops made are known."""

from . import impl
