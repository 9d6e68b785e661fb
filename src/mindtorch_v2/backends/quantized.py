"""torch.backends.quantized: there is no engine for quantized numbers."""

from __future__ import annotations

engine = "none"
supported_engines = ["none"]
