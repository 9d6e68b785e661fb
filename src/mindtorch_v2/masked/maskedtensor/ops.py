"""What ops do with tensors that have a mask; those of no table are refused in torch's words."""

from __future__ import annotations

from collections.abc import Callable

from ...core.device import sparse_coo, sparse_csr, strided
from ...core.tensor import Tensor
from .core import MaskedTensor, is_masked_tensor

_MUST_MATCH = "Input masks must match. If you need support for this, please open an issue on Github."
# One number at a time: the masks of all operands must be equal, and the result has it too. In-place forms as well.
POINTWISE = set("""
    abs absolute acos arccos acosh arccosh angle asin arcsin asinh arcsinh atan arctan atanh arctanh bitwise_not ceil
    clamp clip conj_physical cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor frac lgamma log log10
    log1p log2 logit i0 isnan nan_to_num neg negative positive rad2deg reciprocal round rsqrt sigmoid sign sgn
    signbit sin sinc sinh sqrt square tan tanh trunc
    add atan2 arctan2 bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift div divide
    floor_divide fmod logaddexp logaddexp2 mul multiply nextafter remainder sub subtract true_divide eq ne le ge
    greater greater_equal gt less_equal lt less maximum minimum fmax fmin not_equal pow
    threshold_backward sigmoid_backward tanh_backward""".split())
# Where numbers stand: done with the data and with the mask.
PLACES = set("""
    alias as_strided cat detach expand index permute_copy select select_backward slice slice_backward split
    split_with_sizes stack t transpose unsafe_split unsqueeze view _reshape_alias _unsafe_view""".split())
# What changes the data and keeps the mask.
DATA_ONLY = {"_to_copy", "clone", "lift_fresh", "lift", "ones_like", "new_empty_strided", "randn_like"}


def answer(func, args: tuple, kwargs: dict):
    """What an op makes of tensors with masks; NotImplemented if nobody has said what it means."""
    name = func._schema.name.partition("::")[2]
    if name in OWN:
        return OWN[name](func, args, kwargs)
    if name in POINTWISE or (name.endswith("_") and name[:-1] in POINTWISE):
        return _pointwise(func, name, args, kwargs)
    if name in PLACES:
        return _placed(func, args, kwargs)
    if name in DATA_ONLY:
        return MaskedTensor(func(args[0]._masked_data, *args[1:], **kwargs), args[0]._masked_mask)
    return NotImplemented


def same_mask(tensors: list[MaskedTensor]) -> Tensor:
    """The mask that all have."""
    first = tensors[0]._masked_mask
    for other in tensors[1:]:
        mask = other._masked_mask
        if mask is not first and not (mask.layout == first.layout and mask.shape == first.shape
                                      and _dense(mask).equal(_dense(first))):
            raise ValueError(_MUST_MATCH)
    return first


def _dense(tensor: Tensor) -> Tensor:
    return tensor if tensor.layout == strided else tensor.to_dense()


def _with(value, part: Callable[[MaskedTensor], Tensor]):
    """Arguments in which each tensor with a mask is replaced by a part of it, in lists too."""
    if is_masked_tensor(value):
        return part(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_with(item, part) for item in value)
    return value


def _pointwise(func, name: str, args: tuple, kwargs: dict):
    masked = [value for value in (*args, *kwargs.values()) if is_masked_tensor(value)]
    mask = same_mask(masked)
    if name.endswith("_"):
        func(*[_with(value, lambda t: t._masked_data) for value in args], **kwargs)
        return args[0]
    if masked[0].layout in (sparse_coo, sparse_csr):
        return _of_values(func, args, kwargs, masked[0])
    result = func(*[_with(value, lambda t: t._masked_data) for value in args], **kwargs)
    return MaskedTensor(result, mask if mask.shape == result.shape else mask.expand(result.shape))


def _of_values(func, args: tuple, kwargs: dict, like: MaskedTensor) -> MaskedTensor:
    """The same for sparse tensors of one pattern: done with what they store."""
    values = func(*[_with(value, lambda t: t._masked_data.values()) for value in args], **kwargs)
    data = like._masked_data
    if like.layout == sparse_coo:
        return MaskedTensor(_sparse("_sparse_coo_tensor_with_dims_and_tensors", data, values), like._masked_mask)
    return MaskedTensor(_sparse("sparse_csr_tensor", data, values), like._masked_mask)


def _sparse(kind: str, pattern: Tensor, values: Tensor) -> Tensor:
    """A sparse tensor of a known pattern with other values."""
    from ...dispatch.aten import aten
    if kind == "sparse_csr_tensor":
        return aten.sparse_csr_tensor(pattern.crow_indices(), pattern.col_indices(), values, list(pattern.shape),
                                      dtype=values.dtype, layout=sparse_csr)
    return aten._sparse_coo_tensor_with_dims_and_tensors(
        pattern.sparse_dim(), pattern.dense_dim(), list(pattern.shape), pattern.indices(), values, dtype=values.dtype,
        layout=sparse_coo, is_coalesced=True)


def _placed(func, args: tuple, kwargs: dict):
    data = func(*[_with(value, lambda t: t._masked_data) for value in args], **kwargs)
    mask = func(*[_with(value, lambda t: t._masked_mask) for value in args], **kwargs)
    if isinstance(data, (list, tuple)):
        return tuple(MaskedTensor(part, kept) for part, kept in zip(data, mask, strict=True))
    return MaskedTensor(data, mask)


def _copy_(func, args: tuple, kwargs: dict) -> MaskedTensor:
    same_mask([value for value in args[:2] if is_masked_tensor(value)])
    args[0]._masked_data.copy_(_with(args[1], lambda t: t._masked_data))
    return args[0]


def _where(func, args: tuple, kwargs: dict) -> MaskedTensor:
    condition, left, right = args
    if not is_masked_tensor(left) or not is_masked_tensor(right):
        raise ValueError(f"{func}: expects a Tensor condition and two MaskedTensors")
    return MaskedTensor(func(condition, left._masked_data, right._masked_data),
                        func(condition, left._masked_mask, right._masked_mask))


def _softmax(func, args: tuple, kwargs: dict) -> MaskedTensor:
    data, mask = args[0]._masked_data, args[0]._masked_mask
    return MaskedTensor(func(data.masked_fill(~mask, float("-inf")), *args[1:], **kwargs), mask)


def _softmax_backward(func, args: tuple, kwargs: dict) -> MaskedTensor:
    grad, output, *rest = args
    if not is_masked_tensor(grad) or not is_masked_tensor(output):
        raise ValueError("the gradient of softmax needs gradients and results with masks")
    mask = same_mask([grad, output])
    filled = [t._masked_data.masked_fill(~mask, 0) for t in (grad, output)]
    return MaskedTensor(func(*filled, *rest, **kwargs), mask)


def _of_data(func, args: tuple, kwargs: dict) -> object:
    """A plain answer about the data."""
    return func(*[_with(value, lambda t: t._masked_data) for value in args])


OWN = {"copy_": _copy_, "where": _where, "_softmax": _softmax, "_softmax_backward_data": _softmax_backward,
       "is_same_size": _of_data, "_local_scalar_dense": _of_data}
