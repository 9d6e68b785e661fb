"""Attention with its projections as one op, which runs where nothing is trained."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, offset_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..create.factories import empty
from ..linalg.contract import multiplied
from ..nested.tensors import NestedTensor
from ..shared.layout import in_order
from ..shared.not_differentiable import UNKNOWN, unknown
from . import nested

PARTS = 3  # queries, keys, values


def _shape_of_heads(qkv, num_heads: int) -> tuple[int, int, int, int]:
    batch, length, width = shape_of(qkv)
    return batch, num_heads, length, width // PARTS // num_heads


class TransformBiasRescaleQkv(Op):
    """Projected queries (scaled), keys and values of each head, with their biases."""

    schema = ("_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)")
    node = UNKNOWN
    grads = unknown("_transform_bias_rescale_qkv")

    def meta(qkv, qkv_bias, num_heads):
        if not isinstance(qkv, NestedTensor):
            wrap_dim(2, ndim_of(qkv))
            if shape_of(qkv)[2] // PARTS % num_heads:
                raise RuntimeError("Expected D % num_head == 0 to be true, but got false.  (Could this error message "
                                   "be improved?  If so, please report an enhancement request to PyTorch.)")
        if qkv.dtype.category != dtypes.FLOATING:
            raise not_implemented("transform_bias_rescale_qkv", qkv.dtype)
        if not isinstance(qkv, NestedTensor):
            return (Spec(_shape_of_heads(qkv, num_heads), qkv.dtype),) * PARTS

    def body(qkv, qkv_bias, num_heads):
        if isinstance(qkv, NestedTensor):
            qkv = aten.to_padded_tensor(qkv, 0.0)
        batch, *heads = _shape_of_heads(qkv, num_heads)
        together = empty((PARTS, batch, *heads), qkv.dtype)
        run.transform_bias_rescale_qkv(together, in_order(qkv), in_order(qkv_bias))
        rows = aten.view(together, (PARTS * batch, *heads))
        return tuple([aten.narrow(rows, 0, part * batch, batch) for part in range(PARTS)])


def _projected(query, key, value, width: int, weight):
    """Projections side by side, by one product where all three are one tensor."""
    if query is key and key is value:
        return _product(query, weight)
    if key is value:
        of_query, of_key = _rows(weight, 0, width), _rows(weight, width, 2 * width)
        return aten.cat([_product(query, of_query), _product(key, of_key)], 2)
    parts = aten.split(weight, width, 0)
    return aten.cat([_product(t, part) for t, part in zip((query, key, value), parts)], 2)


def _rows(weight, start: int, count: int):
    strides = strides_of(weight)
    return aten.as_strided(weight, (count, shape_of(weight)[1]), strides, offset_of(weight) + start * strides[0])


def _product(t, weight):
    turned = aten.t(weight)
    return nested.product(t, turned) if isinstance(t, NestedTensor) else multiplied(t, turned)


def _weights(scores, mask, query, mask_type: int | None):
    """softmax of the scores, in their place where there is no mask."""
    if mask is None and isinstance(query, NestedTensor):
        return aten._nested_tensor_softmax_with_shape(scores, query)
    if mask is None:
        return aten._softmax(scores, ndim_of(scores) - 1, False, out=scores)
    if mask.dtype is not dtypes.bool_:
        mask = aten.to(mask, dtypes.bool_)
    return aten._masked_softmax(scores, mask, ndim_of(scores) - 1, mask_type)


def _check_attention(query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, mask) -> None:
    if mask is not None and isinstance(query, NestedTensor):
        raise RuntimeError("NestedTensor with mask is not supported yet")
    if isinstance(query, NestedTensor):
        return
    if ndim_of(query) != 3:
        raise RuntimeError(f"expected 3-D `query`, got {ndim_of(query)}-D tensor")
    if shape_of(query)[2] != embed_dim:
        raise RuntimeError(f"passed-in embed_dim {embed_dim} didn't match last dim of query {shape_of(query)[2]}")
    for name, t, dims in (("key", key, 3), ("value", value, 3)):
        if ndim_of(t) != dims:
            raise RuntimeError(f"expected {dims}-D `{name}`, got {ndim_of(t)}-D tensor")
    if not shape_of(query) == shape_of(key) == shape_of(value):
        raise RuntimeError("expected `query`/`key`/`value` shapes to match")
    if ndim_of(qkv_weight) != 2:
        raise RuntimeError(f"expected 2-D `qkv_weight`, got {ndim_of(qkv_weight)}-D tensor")
    if shape_of(qkv_weight)[0] != PARTS * embed_dim:
        raise RuntimeError("expected `qkv_weight` first dim to be 3x embed_dim")
    if shape_of(qkv_weight)[1] != embed_dim:
        raise RuntimeError("expected `qkv_weight` second dim to be embed_Dim")
    if ndim_of(qkv_bias) != 1:
        raise RuntimeError(f"expected 1-D `qkv_bias`, got {ndim_of(qkv_bias)}-D tensor")
    if shape_of(qkv_bias)[0] != PARTS * embed_dim:
        raise RuntimeError("expected `qkv_bias` first dim and first dim of query to be equal")
    if embed_dim % num_head:
        raise RuntimeError("`embed_dim` must divide evenly by `num_heads`")


class NativeMultiHeadAttention(Op):
    """Attention of several heads with its projections, and its weights if they are wanted."""

    schema = ("_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, "
              "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, "
              "bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)")
    node = UNKNOWN
    grads = unknown("_native_multi_head_attention")

    def body(query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, need_weights,
             average_attn_weights, mask_type):
        _check_attention(query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, mask)
        projected = _projected(query, key, value, embed_dim, qkv_weight)
        if not numel_of(projected):
            return aten.empty_like(query), None
        q, k, v = aten._transform_bias_rescale_qkv(projected, qkv_bias, num_head)
        del projected
        weights = _scores(q, k)
        weights = _weights(weights, mask, query, mask_type)
        attended = _weighted(q, weights, v)  # in the memory of the queries, which nobody reads any more
        if not need_weights:
            weights = None
        output = _output(attended, proj_weight, proj_bias, query)
        if weights is not None and average_attn_weights:
            weights = aten.div_(aten.sum(weights, (1,)), num_head)
        return output, weights


def _flat(t):
    """Heads of all sequences one behind the other."""
    batch, heads, *rest = shape_of(t)
    return aten.view(t, (batch * heads, *rest))


def _scores(q, k):
    product = aten.bmm(_flat(q), aten.transpose(_flat(k), 2, 1))
    return aten.view(product, (*shape_of(q)[:3], shape_of(k)[2]))


def _weighted(out, weights, v):
    batch, heads, length, width = shape_of(out)
    weights, v = _flat(weights), _flat(v)
    product = aten.bmm(weights, v, out=aten.reshape(out, (batch * heads, length, width)))
    return aten.view(product, (batch, heads, length, width))


def _output(attended, weight, bias, query):
    """Heads side by side again, projected."""
    if isinstance(query, NestedTensor):
        flat = aten._nested_from_padded(attended, nested.sizes_of(query), True)
        return nested.linear(flat, aten.t(weight), bias)
    batch, heads, length, width = shape_of(attended)
    rows = aten.view(aten.contiguous(aten.permute(attended, (0, 2, 1, 3))), (batch, length, heads * width))
    product = aten.addmm(bias, aten.view(rows, (batch * length, heads * width)), aten.t(weight))
    return aten.view(product, (batch, length, shape_of(product)[1]))
