# cython: annotation_typing=False
"""Scaled dot product attention: one fused kernel where torch has it, else in ops."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.attention_backends import choice
from ...core.device import strided
from ...core.geometry import wrap_dim
from ...core.tensor import blank, is_in_order, ndim_of, numel_of, shape_of, strides_of, window_of
from ...core.user_warning import warn_user
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..create.factories import EmptyLike, empty, zeros
from ..linalg.contract import learns
from ..shared.layout import in_order, strides_like
from ..shared.not_differentiable import UNKNOWN, unknown
from ..view.permute import Transpose
from .refusals import refuse

HALF_BYTES = 2  # the size of float16 and bfloat16
QUERY_BLOCKS = ((768, 256), (192, 64), (0, 32))  # from so many queries on, so many at a time
KEY_BLOCK = 512
THREADS = 1  # scratch memory is asked for once for each thread that works


def _check(query, key, value, attn_mask):
    if query.dtype is not key.dtype or key.dtype is not value.dtype:  # Cython misreads "not a is b is c"
        names = [_name(t) for t in (query, key, value)]
        raise RuntimeError(f"Expected query, key, and value to have the same dtype, but got query.dtype: {names[0]} "
                           f"key.dtype: {names[1]} and value.dtype: {names[2]} instead.")
    ndims = [ndim_of(t) for t in (query, key, value)]
    if min(ndims) < 2:
        raise RuntimeError("Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
                           f"{ndims[0]} key.dim: {ndims[1]} and value.dim: {ndims[2]} instead.")
    if attn_mask is not None and attn_mask.dtype not in (dtypes.bool_, dtypes.float32, query.dtype):
        raise RuntimeError("Expected attn_mask dtype to be bool or float or to match query dtype, but got "
                           f"attn_mask.dtype: {_name(attn_mask)} and  query.dtype: {_name(query)} instead.")
    if attn_mask is not None and ndim_of(attn_mask) < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got -2)")


def _name(t) -> str:
    return dtypes.C_NAMES[t.dtype.name]


def _is_fused(query, key, value, attn_mask, dropout_p, enable_gqa) -> bool:
    """Whether torch takes its fused kernel for these arguments."""
    q, k, v = shape_of(query), shape_of(key), shape_of(value)
    if not len(q) == len(k) == len(v) == 4 or dropout_p > 0 or query.dtype.category != dtypes.FLOATING:
        return False
    if not q[3] == k[3] == v[3] or k[:3] != v[:3] or q[0] != k[0]:
        return False
    heads, shared = q[1], k[1]
    if heads != shared and not (enable_gqa and shared and heads % shared == 0):
        return False
    if not (numel_of(query) and numel_of(key)) or \
            q[3] != 1 and any([strides_of(t)[3] != 1 for t in (query, key, value)]):
        return False
    return attn_mask is None or _mask_fits(attn_mask, (*q[:3], k[2]))


def _mask_fits(mask, full) -> bool:
    shape = shape_of(mask)
    if learns(mask) or len(shape) not in (2, 4):
        return False
    return all([have in (1, want) for have, want in zip(shape, full[4 - len(shape):])])


def _added(mask, dtype):
    """A boolean mask as what is added to the scores: nothing where it is true, minus infinity elsewhere."""
    if mask is None or mask.dtype is not dtypes.bool_:
        return mask
    return aten.where(mask, 0.0, aten.scalar_tensor(-math.inf, dtype=dtype))


class ScaledDotProductAttention(Op):
    """softmax(query key' scale + mask) value."""

    schema = ("scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
              "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor")

    def body(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
        _check(query, key, value, attn_mask)
        if _is_of_nothing(query, key, value):
            return _of_nothing(query, key, value)
        fused = choice.flash and _is_fused(query, key, value, attn_mask, dropout_p, enable_gqa)
        if not fused and not choice.math:
            refuse(query, key, value, attn_mask, dropout_p, enable_gqa, choice.flash)
        attn_mask = _added(attn_mask, query.dtype)
        if fused:
            return dispatcher.call(_FLASH, (query, key, value, dropout_p, is_causal, attn_mask, scale))[0]
        return aten._scaled_dot_product_attention_math(query, key, value, attn_mask, dropout_p, is_causal, None,
                                                       scale=scale, enable_gqa=enable_gqa)[0]


def _is_of_nothing(query, key, value) -> bool:
    """Whether there is no query or no key; rows of width zero are rows, all of the same score."""
    return 0 in shape_of(query)[:-1] or 0 in shape_of(key)[:-1] or not numel_of(value)


def _of_nothing(query, key, value):
    """Attention without queries or keys is zero, and still a function of its inputs."""
    shape = (*shape_of(query)[:-1], shape_of(value)[-1])
    zeros = aten.zeros(shape, dtype=query.dtype, layout=strided)
    by_value, by_key, by_query = aten.sum(value), aten.sum(key), aten.sum(query)
    return aten.add(zeros, aten.mul(aten.add(aten.add(by_query, by_key), by_value), 0))


class ScaledDotProductAttentionMath(Op):
    """Attention written in ops, and the weights it gave."""

    schema = ("_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
              "float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, "
              "bool enable_gqa=False) -> (Tensor, Tensor)")

    def body(query, key, value, attn_mask, dropout_p, is_causal, dropout_mask, scale, enable_gqa):
        dtype = query.dtype
        if dtype.itemsize == HALF_BYTES and dtype.category == dtypes.FLOATING:
            query, key, value = [aten.to(t, dtypes.float32) for t in (query, key, value)]
        if dtype.category < dtypes.FLOATING and dtype.itemsize == HALF_BYTES:
            raise RuntimeError(f"expected scalar type Float but found {dtype.short}")
        scale = _scale(scale, shape_of(query)[-1])
        root = math.sqrt(abs(scale))
        q = aten.mul(query, -root if scale < 0 else root)
        if is_causal:
            if attn_mask is not None:
                raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when "
                                   "is_causal=True")
            sizes = (shape_of(q)[-2], shape_of(key)[-2])
            attn_mask = aten.tril(aten.ones(sizes, dtype=dtypes.bool_, layout=strided))
            attn_mask = _added(attn_mask, q.dtype)
        if enable_gqa and not shape_of(q)[-3] == shape_of(key)[-3] == shape_of(value)[-3]:
            key, value = [_for_all_heads(t, shape_of(q)[-3]) for t in (key, value)]
        scores = aten.matmul(q, aten.mul(aten.transpose(key, -2, -1), root))
        if attn_mask is not None:
            scores = aten.add_(scores, attn_mask)
        weights = aten._safe_softmax(scores, -1)
        if dropout_p > 0 and dropout_mask is None:
            weights = aten.dropout(weights, dropout_p, True)
        elif dropout_p > 0:
            warn_user("Dropout mask should only be used for testing purposes.")
            weights = aten.masked_fill(weights, aten.logical_not(dropout_mask), 0.0)
        shown = aten.to(weights, dtype)
        if dropout_p > 0 and dropout_mask is not None:
            value = aten.mul(value, 1 / (1 - dropout_p))
        return aten.to(aten.matmul(weights, value), dtype), shown


def _for_all_heads(shared, heads: int):
    """Keys or values that several heads of queries share, once for each."""
    have = shape_of(shared)[-3]
    if not have or heads % have:
        raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
    return aten.repeat_interleave(shared, heads // have, -3)


class FlashAttention(Op):
    """Attention in one kernel, and the logarithm of each softmax's sum."""

    schema = ("_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0., "
              "bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> "
              "(Tensor output, Tensor logsumexp)")
    node = "ScaledDotProductFlashAttentionForCpuBackward0"
    grads_of = "query key value"
    no_grad_for = "logsumexp"

    def meta(query, key, value, dropout_p, is_causal, attn_mask, scale):
        _check_fused(query, key, value, dropout_p)
        batch, heads, length, _ = shape_of(query)
        sums = Spec((batch, heads, length), _wide(query), (length * heads, 1, heads))
        return Spec(shape_of(query), query.dtype, strides_like(query)), sums

    def body(query, key, value, dropout_p, is_causal, attn_mask, scale):
        batch, heads, length, width = shape_of(query)
        wide = _wide(query)
        if dispatcher.is_unobserved() and is_in_order(query):
            out, logsumexp = blank(shape_of(query), query.dtype), blank((batch, length, heads), wide)
            logsumexp = window_of(logsumexp, (batch, heads, length), (length * heads, 1, heads), 0)
            run.attention(out, logsumexp, query, key, value, _full_mask(attn_mask, query, key), is_causal,
                          _scale(scale, width))
            return out, logsumexp
        out = _turned(dispatcher.call(_EMPTY_LIKE, (query, query.dtype, strided, None, None, None)))
        logsumexp = empty((batch, length, heads), wide)
        _show_turned(query, key, value)
        mask = _full_mask(attn_mask, query, key)
        rows, columns = _block(length, shape_of(key)[2])
        scratch = _scratch(rows * (columns + 2 + width), wide), _narrow(query, (rows, columns))
        out, logsumexp = _turned(out), _turned(logsumexp)
        run.attention(out, logsumexp, query, key, value, mask, is_causal, _scale(scale, width))
        del scratch
        return out, logsumexp

    def composed(query, key, value, dropout_p, is_causal, attn_mask, scale):
        is_shared = shape_of(query)[1] != shape_of(key)[1]
        return aten._scaled_dot_product_attention_math(query, key, value, attn_mask, dropout_p, is_causal, None,
                                                       scale=scale, enable_gqa=is_shared)[0]

    def grads(grads, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask, scale):
        return dispatcher.call(_FLASH_BACKWARD, (grads[0], query, key, value, output, logsumexp, dropout_p, is_causal,
                                                 attn_mask, scale))


def _check_fused(query, key, value, dropout_p) -> None:
    """What torch's fused kernel asks of its operands; mostly they were looked at before."""
    shapes = [shape_of(t) for t in (query, key, value)]
    for dim in (0, 2):
        if not shapes[0]:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        wrap_dim(dim, len(shapes[0]))
    if query.dtype.category != dtypes.FLOATING:
        raise RuntimeError(f"{FUSED}Expected data type in FP32, FP64, BF16, FP16, but got {query.dtype.short} instead.")
    if len(shapes[0]) != 4 or len(shapes[1]) != 4 or len(shapes[2]) != 4:
        raise RuntimeError(FUSED + "Accept only 4 dims inputs shape of {B, H, T, K}")
    if dropout_p != 0:
        raise RuntimeError(FUSED + "Currently do not support dropout > 0")
    if shapes[0][3] != shapes[1][3] or shapes[0][3] != shapes[2][3]:
        raise RuntimeError(FUSED + "Q/K/V should have the same head size")
    for t in (key, value):
        if t.dtype is not query.dtype:
            raise RuntimeError(f"expected scalar type {query.dtype.short} but found {t.dtype.short}")


FUSED = "scaled_dot_product_attention_flash_attention: "


def _turned(t):
    """Positions before heads, or back."""
    return dispatcher.call(_TRANSPOSE, (t, 1, 2))


def _show_turned(*tensors) -> None:
    """torch's kernel turns what it reads, which shows in its rows; ours reads it as it is."""
    for t in tensors:
        _turned(t)


def _wide(query):
    """The type that is computed in."""
    return dtypes.float32 if query.dtype.itemsize == HALF_BYTES else query.dtype


def _scale(scale, width):
    if scale is not None:
        return scale
    return 1 / math.sqrt(width) if width else math.inf


def _block(length, keys):
    """How many queries and keys are worked on at a time."""
    rows = next(rows for least, rows in QUERY_BLOCKS if length >= least)
    return min(rows, length), min(KEY_BLOCK, keys)


def _scratch(count, dtype):
    return empty((THREADS, count), dtype)


def _narrow(query, shape):
    """Room for a block of weights in half precision, where that is the type of the queries."""
    rows, columns = shape
    return empty((THREADS, rows, columns if query.dtype.itemsize == HALF_BYTES else 0), query.dtype)


def _full_mask(mask, query, key):
    if mask is None:
        return None
    shape = shape_of(mask)
    shown = aten.view(mask, (1, 1, *shape) if len(shape) == 2 else shape)
    return aten.expand(shown, (*shape_of(query)[:3], shape_of(key)[2]))


class FlashAttentionBackward(Op):
    """Derivative of the fused attention for query, key and value."""

    schema = ("_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, "
              "Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, "
              "float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)")
    node = UNKNOWN
    grads = unknown("_scaled_dot_product_flash_attention_for_cpu_backward")
    tuned = "its body makes the same memory in another order of dimensions"

    def meta(grad_out, query, key, value, *_):
        (batch, heads, length, width), (_, shared, count, _) = shape_of(query), shape_of(key)
        of_key = Spec((batch, shared, count, width), query.dtype)
        return Spec((batch, heads, length, width), query.dtype), of_key, of_key

    def body(grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale):
        grad = _turned(grad_out)
        _show_turned(query, key, value, out, logsumexp)
        (batch, heads, length, width), (_, shared, count, _) = shape_of(query), shape_of(key)
        grads = [zeros((batch, places, of, width), query.dtype)
                 for places, of in ((length, heads), (count, shared), (count, shared))]
        grad = in_order(grad)
        mask = _full_mask(attn_mask, query, key)
        rows, columns = _block(length, count)
        wide = _wide(query)
        half = 2 * rows * columns if query.dtype.itemsize == HALF_BYTES else 0
        scratch = _scratch(2 * rows * columns, wide), _scratch(half, query.dtype), empty((rows,), wide)
        grads = [_turned(t) for t in grads]
        run.attention_grads(*grads, grad, query, key, value, out, logsumexp, mask, is_causal, _scale(scale, width))
        del scratch
        return tuple(grads)


# The ops called above, looked up once.
_EMPTY_LIKE = EmptyLike.op
_FLASH = FlashAttention.op
_FLASH_BACKWARD = FlashAttentionBackward.op
_TRANSPOSE = Transpose.op
