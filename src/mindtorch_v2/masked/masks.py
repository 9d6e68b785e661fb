"""What a mask says of an input, and the number that stands for an element that is left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..core import dtype as dtypes
from ..core.device import strided
from ..core.dtype import iinfo
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from ..ops.python.construct import tensor

Dims = int | Sequence[int] | None
REDUCTIONS = frozenset("sum prod amax amin argmax argmin mean median norm var std logsumexp".split())
NORMALIZATIONS = frozenset("softmax log_softmax softmin normalize cumsum cumprod".split())
ZERO, ONE, LOWEST, HIGHEST = "zero", "one", "lowest", "highest"
# The number that changes nothing, by the function it is given to; mean, var and std have none.
IDENTITIES = {"sum": ZERO, "cumsum": ZERO, "prod": ONE, "cumprod": ONE, "amax": LOWEST, "argmax": LOWEST,
              "logaddexp": LOWEST, "logsumexp": LOWEST, "amin": HIGHEST, "argmin": HIGHEST, "norm": ZERO}


def _reduction_identity(op_name: str, input: Tensor, *args) -> Tensor | None:
    """A tensor of the number that an element can be replaced by, so that the result is that of all others."""
    name = op_name.rpartition(".")[2]
    if name in ("mean", "var", "std"):
        return None
    if name == "median":  # nanmedian leaves NaN out
        return tensor(math.nan, dtype=input.dtype if input.dtype.is_floating_point else dtypes.float32)
    kind = HIGHEST if name == "norm" and args and args[0] == -math.inf else IDENTITIES.get(name)
    number = {ZERO: 0, ONE: 1}.get(kind)
    if number is None:
        number = _extreme(name, input.dtype, kind)
    return tensor(number, dtype=input.dtype)


def _extreme(name: str, dtype: dtypes.DType, kind: str | None):
    if kind is not None and (dtype.is_floating_point or dtype.is_complex and name == "logsumexp"):
        return math.inf if kind == HIGHEST else -math.inf
    if kind is None or dtype.is_complex or dtype is dtypes.bool_:
        raise NotImplementedError(f"identity of {name} on {dtype} input")
    return iinfo(dtype).max if kind == HIGHEST else iinfo(dtype).min


def _canonical_dim(dim: Dims, ndim: int) -> tuple[int, ...]:
    """Dimensions counted from the front, sorted; all of them for None and ()."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim, dims = max(ndim, 1), []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d in dims:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        if not -ndim <= d < ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})")
        dims.append(d % ndim)
    return tuple(sorted(dims))


def _input_mask(input: Tensor, *args, mask: Tensor | None = None, **kwargs) -> Tensor:
    """A mask of any layout as truth values in the shape of the input."""
    if input.layout is not strided:
        raise ValueError(f"_input_mask expects strided tensor but got {input.layout}")
    if mask is None:
        raise ValueError("_input_mask requires explicit mask")
    if mask.layout is not strided:
        mask = mask.to_dense()
    if mask.shape != input.shape:
        if mask.ndim > input.ndim:
            raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the "
                             "input)")
        mask = aten.broadcast_to(aten.clone(mask), tuple(input.shape))
    return mask.to(dtype=dtypes.bool_)


def _output_mask(op: Callable, input: Tensor, *args, **kwargs) -> Tensor:
    """Which elements of the result had something to be made of."""
    if not callable(op):
        raise ValueError(f"_output_mask expected masked operation (got {type(op).__name__} object)")
    name = op.__name__
    if name in NORMALIZATIONS:
        return _input_mask(input, *args, **kwargs)
    if name not in REDUCTIONS:
        raise ValueError(f"_output_mask expected masked operation (got callable {op.__module__}.{name})")
    given = args[1:] if name == "norm" else args
    mask = _input_mask(input, *args, **kwargs)
    for d in reversed(_canonical_dim(given[0] if given else kwargs.get("dim"), input.ndim)):
        mask = mask.any(dim=d, keepdim=bool(kwargs.get("keepdim", False)))
    return mask


def _combine_input_and_mask(op: Callable, input: Tensor, mask: Tensor | None, *args) -> Tensor:
    """The input with the op's identity wherever the mask is false."""
    if mask is None:
        return input
    return filled(op.__name__, input, mask, *args)


def filled(name: str, input: Tensor, mask: Tensor | None, *args) -> Tensor:
    """The input with the identity of the named function wherever the mask is false; strided tensors only."""
    if input.layout is not strided:
        raise ValueError(f"masked {name} expects strided tensor (got {input.layout} tensor)")
    if mask is None:
        return input
    return aten.where(_input_mask(input, mask=mask), input, _reduction_identity(name, input, *args))
