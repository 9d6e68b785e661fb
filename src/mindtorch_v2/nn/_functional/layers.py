"""Normalization, padding, and products of groups."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.dtype import DType
from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten


def layer_norm(input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
               eps: float = 1e-5) -> Tensor:
    """Mean zero and variance one over the last dimensions."""
    if asked(input, weight, bias):
        return overridden(layer_norm, locals())
    return aten.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None,
             eps: float | None = None) -> Tensor:
    """Mean square one over the last dimensions."""
    if asked(input, weight):
        return overridden(rms_norm, locals())
    return aten.rms_norm(input, normalized_shape, weight, eps)


def group_norm(input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None,
               eps: float = 1e-5) -> Tensor:
    """Mean zero and variance one over groups of channels."""
    if asked(input, weight, bias):
        return overridden(group_norm, locals())
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    size = [input.size(0) * input.size(1) // num_groups, num_groups, *input.shape[2:]]
    values = size[0]
    for n in size[2:]:
        values *= n
    if values == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return aten.group_norm(input, num_groups, weight, bias, eps)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Vectors of length one along a dimension."""
    if asked(input, out):
        return overridden(normalize, locals())
    dims = (dim,) if isinstance(dim, int) else dim
    if out is None:
        return input / aten.linalg_vector_norm(input, p, dims, True).clamp_min(eps).expand_as(input)
    return aten.div(input, aten.linalg_vector_norm(input, p, dims, True).clamp_min_(eps).expand_as(input), out=out)


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """More values at the ends of the last dimensions."""
    if asked(input):
        return overridden(_pad, locals())
    return aten.pad(input, pad, mode, value)


_pad = pad  # the function, by a name that its parameter does not hide


def grouped_mm(mat_a: Tensor, mat_b: Tensor, *, offs: Tensor | None = None, bias: Tensor | None = None,
               out_dtype: DType | None = None) -> Tensor:
    """A product for each group; ``offs`` says where the groups of a matrix end."""
    if asked(mat_a, mat_b):
        return overridden(grouped_mm, locals())
    return aten._grouped_mm(mat_a, mat_b, offs=offs, bias=bias, out_dtype=out_dtype)
