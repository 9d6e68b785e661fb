"""Matrices kept orthogonal: by the exponential or the Cayley map of a skew matrix, or as a product of reflections."""

from __future__ import annotations

from enum import Enum, auto

from ...api.install import FUNCTIONS
from ...autograd.grad_mode import no_grad
from ...core.dtype import finfo
from ...core.tensor import Tensor
from ..modules.module import Module

ROUNDING = 10.0  # times the number of rows and the type's epsilon: how far from orthogonal still counts as orthogonal


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    """The map from free parameters to an orthogonal matrix; what ``base`` holds is multiplied from the left."""

    base: Tensor

    def __init__(self, weight: Tensor, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:  # noqa: N803  torch's name of the parameter
        is_wide = X.size(-2) < X.size(-1)
        free = X.mT if is_wide else X
        if self.orthogonal_map == _OrthMaps.householder:
            columns = _reflected(free)
        else:
            columns = self._of_skew(free)
        if hasattr(self, "base"):
            columns = self.base @ columns
        return columns.mT if is_wide else columns

    def _of_skew(self, free: Tensor) -> Tensor:
        """The first columns of a rotation, which a skew matrix made of the lower triangle gives."""
        n, k = free.size(-2), free.size(-1)
        lower = free.tril()
        if n != k:
            lower = FUNCTIONS["cat"]([lower, lower.new_zeros(n, n - k).expand(*lower.shape[:-2], -1, -1)], dim=-1)
        skew = lower - lower.mH
        if self.orthogonal_map == _OrthMaps.matrix_exp:
            rotation = FUNCTIONS["matrix_exp"](skew)
        else:
            one = FUNCTIONS["eye"](n, dtype=skew.dtype, device=skew.device)
            add = FUNCTIONS["add"]
            rotation = FUNCTIONS["linalg_solve"](add(one, skew, alpha=-0.5), add(one, skew, alpha=0.5))
        return rotation if n == k else rotation[..., :k]

    @no_grad()
    def right_inverse(self, Q: Tensor) -> Tensor:  # noqa: N803  torch's name of the parameter
        """Parameters that give an orthogonal matrix, which becomes the new ``base`` where there is one."""
        if Q.shape != self.shape:
            raise ValueError(f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape "
                             f"{Q.shape}.")
        is_wide = Q.size(-2) < Q.size(-1)
        tall = Q.mT if is_wide else Q
        if hasattr(self, "base"):
            self.base = _completed(tall)
            free = FUNCTIONS["zeros_like"](Q)
            free.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
            return free
        if self.orthogonal_map != _OrthMaps.householder:
            raise NotImplementedError("It is not possible to assign to the matrix exponential or the Cayley "
                                      "parametrizations when use_trivialization=False.")
        reflections, tau = FUNCTIONS["geqrf"](tall)
        reflections.diagonal(dim1=-2, dim2=-1).sign_()
        reflections.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1  # a reflection that LAPACK leaves out
        return reflections.mT if is_wide else reflections


def _reflected(free: Tensor) -> Tensor:
    """The product of reflections along the columns of the lower triangle, with the signs on the diagonal."""
    vectors = free.tril(diagonal=-1)
    tau = 2.0 / (1.0 + (vectors * vectors).sum(dim=-2))
    product = FUNCTIONS["linalg_householder_product"](vectors, tau)
    return product * free.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)


def _completed(tall: Tensor) -> Tensor:
    """A square orthogonal matrix that begins with the given columns, made orthogonal where they are not."""
    n, k = tall.size(-2), tall.size(-1)
    if n != k:
        more = FUNCTIONS["randn"](*tall.size()[:-2], n, n - k, dtype=tall.dtype, device=tall.device)
        return _make_orthogonal(FUNCTIONS["cat"]([tall, more], dim=-1))
    return tall.clone() if _is_orthogonal(tall) else _make_orthogonal(tall)


def _is_orthogonal(columns: Tensor) -> bool:
    one = FUNCTIONS["eye"](columns.size(-1), dtype=columns.dtype, device=columns.device)
    off = ROUNDING * columns.size(-2) * finfo(columns.dtype).eps
    return FUNCTIONS["allclose"](columns.mH @ columns, one, atol=off)


def _make_orthogonal(tall: Tensor) -> Tensor:
    """The orthogonal factor of a tall matrix whose other factor has a diagonal that is not negative."""
    reflections, tau = FUNCTIONS["geqrf"](tall)
    columns = FUNCTIONS["linalg_householder_product"](reflections, tau)
    columns *= reflections.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return columns
