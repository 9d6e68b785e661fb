"""Sobol's sequences, as torch.quasirandom draws them."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec

BITS = 30  # of each coordinate



class SobolInitializeState(Op):
    """The direction numbers of each dimension."""

    schema = "_sobol_engine_initialize_state_(Tensor(a!) self, int dimension) -> Tensor(a!)"

    def body(self, dimension):
        if self.dtype is not dtypes.int64:
            raise RuntimeError("sobolstate needs to be of type Long")
        run.sobol_directions(self)
        places = aten.arange(BITS - 1, -1, -1, out=aten.empty((0,), dtype=dtypes.int64))
        return aten.mul_(self, aten.pow(2, places))


class SobolScramble(Op):
    """Direction numbers scrambled by a lower triangular matrix of bits for each dimension."""

    schema = "_sobol_engine_scramble_(Tensor(a!) self, Tensor ltm, int dimension) -> Tensor(a!)"

    def body(self, ltm, dimension):
        matrices = aten.clone(ltm, memory_format=contiguous_format)
        aten.fill_(aten.diagonal(matrices, 0, -2, -1), 1)
        values = aten.pow(2, aten.arange(BITS - 1, -1, -1, dtype=dtypes.int64))
        rows = aten.sum(aten.mul(matrices, aten.expand_as(values, matrices)), (-1,))
        run.sobol_scramble(self, rows)
        return self


class SobolDraw(Op):
    """The next points of a sequence, and the last of them as whole numbers."""

    schema = ("_sobol_engine_draw(Tensor quasi, int n, Tensor sobolstate, int dimension, int num_generated, "
              "ScalarType? dtype) -> (Tensor, Tensor)")

    def meta(quasi, n, sobolstate, dimension, num_generated, dtype):
        return Spec((n, dimension), dtype or dtypes.float32), Spec(shape_of(quasi), quasi.dtype)

    def body(quasi, n, sobolstate, dimension, num_generated, dtype):
        last = aten.clone(quasi, memory_format=contiguous_format)
        points = aten.empty((n, dimension), dtype=dtype or dtypes.float32)
        run.sobol_draw(points, last, sobolstate, num_generated)
        return aten.mul_(points, 1 / 2**BITS), last


class SobolFastForward(Op):
    """The same without the points."""

    schema = ("_sobol_engine_ff_(Tensor(a!) self, int n, Tensor sobolstate, int dimension, int num_generated) -> "
              "Tensor(a!)")

    def body(self, n, sobolstate, dimension, num_generated):
        run.sobol_advance(self, sobolstate, n, num_generated)
        return self
