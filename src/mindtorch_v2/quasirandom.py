"""torch.quasirandom: points that fill a cube more evenly than random ones."""

from __future__ import annotations

from .core import dtype as _dtypes
from .core.device import contiguous_format as _contiguous_format
from .core.missing_name import answer_for_missing as _answer_for_missing
from .core.tensor import Tensor
from .dispatch.aten import aten as _aten
from .ops.random.generator import Generator as _Generator
from .ops.random.sobol import BITS as _BITS


class SobolEngine:
    """Draws the points of a Sobol sequence, scrambled by a seed if that is wanted."""

    MAXBIT = _BITS
    MAXDIM = 21201

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None):
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.seed = seed
        self.scramble = scramble
        self.dimension = dimension
        self.sobolstate = _aten.zeros((dimension, self.MAXBIT), dtype=_dtypes.int64)
        _aten._sobol_engine_initialize_state_(self.sobolstate, dimension)
        if scramble:
            self._scramble()
        else:
            self.shift = _aten.zeros((dimension,), dtype=_dtypes.int64)
        self.quasi = _aten.clone(self.shift, memory_format=_contiguous_format)
        self._first_point = _aten.reshape(_aten.div(self.quasi, 2**self.MAXBIT), (1, -1))
        self.num_generated = 0

    def draw(self, n: int = 1, out: Tensor | None = None, dtype=None) -> Tensor:
        """The next points, one in a row."""
        dtype = dtype or _dtypes.get_default_dtype()
        if self.num_generated == 0:
            further = None
            if n > 1:
                further, self.quasi = self._next(n - 1, 0, dtype)
            points = _aten.to(self._first_point, dtype)
            if further is not None:
                points = _aten.cat([points, further], -2)
        else:
            points, self.quasi = self._next(n, self.num_generated - 1, dtype)
        self.num_generated += n
        return points if out is None else _aten.copy_(_aten.resize_(out, tuple(points.shape)), points)

    def _next(self, n: int, n_generated: int, dtype) -> tuple[Tensor, Tensor]:
        return _aten._sobol_engine_draw(self.quasi, n, self.sobolstate, self.dimension, n_generated, dtype)

    def draw_base2(self, m: int, out: Tensor | None = None, dtype=None) -> Tensor:
        """The next 2**m points, if they and those before them are a power of two."""
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError("The balance properties of Sobol' points require n to be a power of 2. "
                             f"{self.num_generated} points have been previously generated, then: "
                             f"n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                             "'SobolEngine.draw()' instead.")
        return self.draw(n=n, out=out, dtype=dtype)

    def reset(self) -> SobolEngine:
        """Begin anew."""
        _aten.copy_(self.quasi, self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Leave out some points."""
        first = self.num_generated == 0
        _aten._sobol_engine_ff_(self.quasi, n - first, self.sobolstate, self.dimension,
                                0 if first else self.num_generated - 1)
        self.num_generated += n
        return self

    def _scramble(self) -> None:
        generator = _Generator()
        if self.seed is not None:
            generator.manual_seed(self.seed)
        else:
            generator.seed()
        ints = _aten.randint(2, (self.dimension, self.MAXBIT), generator=generator)
        self.shift = _aten.mv(ints, _aten.pow(2, _aten.arange(self.MAXBIT)))
        matrices = _aten.randint(2, (self.dimension, self.MAXBIT, self.MAXBIT), generator=generator)
        _aten._sobol_engine_scramble_(self.sobolstate, _aten.tril(matrices), self.dimension)

    def __repr__(self) -> str:
        told = [f"dimension={self.dimension}"] + ["scramble=True"] * self.scramble
        return f"{type(self).__name__}({', '.join(told + ([] if self.seed is None else [f'seed={self.seed}']))})"


__all__ = ["SobolEngine"]

_answer_for_missing(__name__)
