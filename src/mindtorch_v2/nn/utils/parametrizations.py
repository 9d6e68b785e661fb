"""Parametrizations that come with torch: weight_norm, spectral_norm, orthogonal."""

from __future__ import annotations

from ...api.install import FUNCTIONS
from ...autograd.grad_mode import no_grad
from ...core.device import contiguous_format
from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from ..modules.module import Module
from . import parametrize
from .orthogonal import _OrthMaps, _Orthogonal
from .spectral_norm import output_dim
from .weight_norm import WHOLE

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

mv, vdot = FUNCTIONS["mv"], FUNCTIONS["vdot"]
FIRST_ITERATIONS = 15  # of power iteration, before anything is computed


def orthogonal(module: Module, name: str = "weight", orthogonal_map: str | None = None, *,
               use_trivialization: bool = True) -> Module:
    """Keep a matrix orthogonal, or its rows or columns where it is not square."""
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    kind = getattr(_OrthMaps, orthogonal_map, None)
    if kind is None:
        raise ValueError('orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
                         f"Got: {orthogonal_map}")
    parametrization = _Orthogonal(weight, kind, use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, parametrization, unsafe=True)


def _tensor_of(module: Module, name: str) -> Tensor:
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


class _WeightNorm(Module):
    """A direction brought to a length."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = WHOLE if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return FUNCTIONS["_weight_norm"](weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The length and the direction of a weight."""
        return FUNCTIONS["norm_except_dim"](weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Module:
    """Compute a parameter from a direction and a length along a dimension."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename_older(state_dict, prefix: str, local_metadata, strict, missing_keys, unexpected_keys,
                     error_msgs) -> None:
        """Read what nn.utils.weight_norm saved."""
        keys = [f"{prefix}{name}_{letter}" for letter in "gv"]
        if all(key in state_dict for key in keys):
            tensors = [state_dict.pop(key) for key in keys]
            for i, tensor in enumerate(tensors):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = tensor

    module._register_load_state_dict_pre_hook(rename_older)
    return module


class _SpectralNorm(Module):
    """Division by the largest singular value, which power iteration follows."""

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError("Expected n_power_iterations to be positive, but got "
                             f"n_power_iterations={n_power_iterations}")
        self.dim = dim % ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            height, width = matrix.size()
            u = matrix.new_empty(height).normal_(0, 1)
            v = matrix.new_empty(width).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, FIRST_ITERATIONS)

    def _reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        if weight.ndim <= 1:
            raise AssertionError(f"Expected weight to have more than 1 dimension, got {weight.ndim}")
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.dim()) if d != self.dim])
        return weight.flatten(1)

    @no_grad()
    def _power_method(self, matrix: Tensor, n_power_iterations: int) -> None:
        if matrix.ndim <= 1:
            raise AssertionError(f"Expected weight_mat to have more than 1 dimension, got {matrix.ndim}")
        for _ in range(n_power_iterations):  # in place, so that replicas of the module share the vectors
            self._u = F.normalize(mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
            self._v = F.normalize(mv(matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u = self._u.clone(memory_format=contiguous_format)  # two forwards may come before one backward
        v = self._v.clone(memory_format=contiguous_format)
        return weight / vdot(u, mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """A weight is its own inverse: dividing it once more changes nothing."""
        return value


def spectral_norm(module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12,
                  dim: int | None = None) -> Module:
    """Divide a parameter by its largest singular value."""
    weight = _tensor_of(module, name)
    dim = output_dim(module) if dim is None else dim
    return parametrize.register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
