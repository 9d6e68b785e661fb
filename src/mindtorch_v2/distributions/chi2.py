"""Chi2: the sum of squares of normal numbers."""

from __future__ import annotations

from ..core.tensor import Tensor
from . import constraints
from .gamma import Gamma

__all__ = ["Chi2"]


class Chi2(Gamma):
    """``df`` squares are added."""

    arg_constraints = {"df": constraints.positive}
    _expanded = ("concentration", "rate")

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self) -> Tensor:
        return self.concentration * 2
