"""The framework's number types, layout and device, handed down to what shows tensors in results."""

from __future__ import annotations

from ...core.device import CPU, strided
from ...core.dtype import by_name
from ..kineto.tensor_types import types

types.use(by_name, CPU, strided)
