"""What tensors without values raise where values are asked for, or where tensors do not belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class UnsupportedFakeTensorException(RuntimeError):  # noqa: N818  torch's name
    """A tensor of a kind that has no fake, or an op that fakes cannot take."""

    reason: str


@dataclass
class _OpError(RuntimeError):
    """An op that needs values."""

    func: Any

    def __str__(self) -> str:
        return str(self.func)


class DynamicOutputShapeException(_OpError):  # noqa: N818
    """The shape of its result depends on values."""


class DataDependentOutputException(_OpError):  # noqa: N818
    """Its result is a Python value that depends on values."""


class FakeTensorDeviceMismatchError(RuntimeError):
    """Tensors of one op are on several devices."""


class UnsupportedOperatorException(_OpError):  # noqa: N818
    """It has no rule for shapes."""
