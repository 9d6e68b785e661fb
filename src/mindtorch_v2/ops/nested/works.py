"""What ops do with nested tensors: element by element on the buffers, or tensor by tensor."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.dtype import int64
from ...core.geometry import contiguous_strides, wrap_dim
from ...core.tensor import Tensor, blank, numel_of, offset_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ..create.factories import empty
from .parts import buffer_of, in_order, on_buffer, sizes_tensor, unbound
from .tensors import Nested, geometry, is_in_order, is_nested, items, like, nested, of_parts

# Ops on every element: in a new tensor, and in place.
UNARY = "relu gelu silu tanh abs neg sgn logical_not isinf isnan isposinf isneginf sin cos sqrt"
IN_PLACE = "relu_ gelu_ silu_ tanh_ abs_ neg_ sgn_ logical_not_"
BINARY = "add sub mul div"
COMPARISONS = "eq ge gt"
BACKWARD = "gelu_backward silu_backward threshold_backward tanh_backward native_dropout_backward"


def _unary(name: str):
    def work(self, *rest):
        return nested(getattr(aten, name)(in_order(self)._mt_kind.elements, *rest), self._mt_kind.sizes)
    return work


def _in_place(name: str):
    def work(self, *rest):
        getattr(aten, name)(self._mt_kind.elements, *[r._mt_kind.elements if is_nested(r) else r for r in rest])
        return self
    return work


def _same_places(self, other, name: str) -> tuple:
    """Two nested tensors of the same sizes, whose tensors lie alike."""
    if not aten.equal(self._mt_kind.sizes, other._mt_kind.sizes):
        raise RuntimeError(f"{name} does not support broadcasting when given a NestedTensor")
    if not aten.equal(self._mt_kind.strides, other._mt_kind.strides):
        return in_order(self), in_order(other)
    return self, other


def _binary(name: str):
    def work(self, other, *rest):
        op = getattr(aten, name)
        options = {"alpha": rest[0]} if name in ("add", "sub", "add_", "sub_") else {}
        if is_nested(self) and is_nested(other):
            self, other = _same_places(self, other, name)
            return like(self, op(self._mt_kind.elements, other._mt_kind.elements, **options))
        shown, number = (self, other) if is_nested(self) else (other, self)
        if isinstance(number, Tensor) and numel_of(number) != 1:
            side, rest_of = ("self", "other") if is_nested(self) else ("other", "self")
            raise RuntimeError(f"Expected both self and other to be nested, but got a nested {side} and non-nested "
                               f"{rest_of}")
        aten.clone(shown._mt_kind.sizes)
        aten.clone(shown._mt_kind.strides)
        given = [t._mt_kind.elements if is_nested(t) else t for t in (self, other)]
        return like(shown, op(*given, **options))
    return work


def _compared(name: str):
    def work(self, other):
        if is_nested(other):
            raise RuntimeError(f"{name} does not support nested tensor as other value.")
        aten.clone(self._mt_kind.sizes)
        aten.clone(self._mt_kind.strides)
        return like(self, getattr(aten, name)(self._mt_kind.elements, other))
    return work


def _backward(name: str):
    """Gradients, element by element."""
    def work(*args):
        first = next(a for a in args if is_nested(a))
        return like(first, getattr(aten, name)(*[in_order(a)._mt_kind.elements if is_nested(a) else a for a in args]))
    return work


def _gelu_backward(grad, self, approximate):
    return like(self, aten.gelu_backward(in_order(grad)._mt_kind.elements, self._mt_kind.elements,
                                         approximate=approximate))


# ---- copies and new tensors -----------------------------------------------------------------------------------


def _clone(self, memory_format):
    kind = self._mt_kind
    if memory_format is not contiguous_format or is_in_order(self):
        return of_parts(*[aten.clone(part) for part in (kind.elements, kind.sizes, kind.strides, kind.offsets)])
    copied = nested(aten.empty((sum([numel_of(t) for t in items(self)]),), dtype=self.dtype), kind.sizes)
    for place, part in zip(aten._nested_unbind(copied), aten._nested_unbind(self)):
        aten.copy_(place, part)
    return copied


def _empty_like(self, dtype=None, *rest):
    kind = self._mt_kind
    return of_parts(aten.empty_like(kind.elements, dtype=dtype), *[aten.clone(p) for p in (
        kind.sizes, kind.strides, kind.offsets)])


def _to_copy(self, dtype, *rest):
    return aten.copy_(aten.empty_like(self, dtype=dtype or self.dtype), self)


def _copy_(self, src, non_blocking):
    for place, part in zip(items(self), items(src)):
        run.copy(place, part)
    return self


def _alias(self):
    return like(self, self._mt_kind.elements)


def _fill_(self, value):
    aten.fill_(self._mt_kind.elements, value)
    return self


# ---- shapes ---------------------------------------------------------------------------------------------------


def _transpose(self, dim0, dim1):
    ndim = 1 + shape_of(self._mt_kind.sizes)[1]
    dim0, dim1 = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    if dim0 == dim1:
        return _alias(self)
    if not dim0 or not dim1:
        raise RuntimeError("Nested tensor dimension 0 cannot be transposed")
    order = list(range(ndim - 1))
    order[dim0 - 1], order[dim1 - 1] = order[dim1 - 1], order[dim0 - 1]
    kind = self._mt_kind
    columns = aten.new_empty(kind.sizes, (ndim - 1,))
    run.fill_from_list(columns, order)
    return of_parts(kind.elements, aten.index_select(kind.sizes, 1, columns),
                    aten.index_select(kind.strides, 1, columns), aten.clone(kind.offsets))


def _reshaped(self, sizes: list[tuple[int, ...]]):
    """The same elements, which lie in order, in other sizes."""
    return nested(in_order(self)._mt_kind.elements, sizes_tensor(sizes))


def _view(self, size):
    count = shape_of(self._mt_kind.sizes)[0]
    if not size or size[0] not in (count, -1):
        raise RuntimeError(f"view: For now nested view cannot change or infer the implicit batch dimension: expected "
                           f"{count}, got {size[0] if size else 'no size'}")
    if not is_in_order(self):
        raise RuntimeError("view size is not compatible with input tensor's size and stride (at least one dimension "
                           "spans across two contiguous subspaces). Use .reshape(...) instead.")
    sizes = []
    for old, _, _ in geometry(self):
        # -1 keeps a size that stands where it stood, and is worked out where the rest is given
        sizes.append(tuple([old[i] if n == -1 and i < len(old) else n for i, n in enumerate(size[1:])]))
    shape = (count, len(size) - 1)
    table, strides = empty(shape, int64), empty(shape, int64)
    run.fill_from_list(table, sizes)
    run.fill_from_list(strides, [contiguous_strides(size) for size in sizes])
    return of_parts(self._mt_kind.elements, table, strides, aten.clone(self._mt_kind.offsets))


def _reshape(self, shape):
    return aten.view(in_order(self), shape)


def _unsqueeze(self, dim):
    dim = wrap_dim(dim, self.dim() + 1)
    if not dim:
        raise RuntimeError("unsqueeze(): For nested tensors, unsqueezing dim 0 is not supported at the moment")
    return _reshaped(self, [(*old[:dim - 1], 1, *old[dim - 1:]) for old, _, _ in geometry(self)])


def _squeeze(self, dim=None):
    if dim is None:
        raise RuntimeError("squeeze(): For nested tensors, squeeze without the dim argument is not supported at the "
                           "moment, however you can use squeeze(Tensor self, int dim) instead if you need this "
                           "feature, please open an issue on github describing your use case.")
    at = wrap_dim(dim, self.dim())
    if not at:
        raise RuntimeError("squeeze(): For nested tensors, squeezing dim 0 is not supported at the moment")
    known = geometry(self)
    if any([old[at - 1] != 1 for old, _, _ in known]):
        return _alias(self)
    return _reshaped(self, [(*old[:at - 1], *old[at:]) for old, _, _ in known])


def _chunk(self, chunks, dim):
    """Parts of the last dimension, which all tensors share, as views of the buffer."""
    if wrap_dim(dim, self.dim()) != self.dim() - 1:
        raise RuntimeError("Chunk for nested tensors is currently only supported for the last dimension.")
    kind, width = self._mt_kind, self.size(-1)
    if width % chunks:
        raise RuntimeError("Chunk for nested tensors is only supported for nested tensors with trailing dimension "
                           "divisible by chunks.")
    part = width // chunks
    buffer, pieces = buffer_of(self), []
    for i in range(chunks):
        sizes, strides, places = [aten.clone(t) for t in (kind.sizes, kind.strides, kind.offsets)]
        run.fill_from_list(sizes, [(*size[:-1], part) for size, _, _ in geometry(self)])
        run.fill_from_list(places, [place + i * part for _, _, place in geometry(self)])
        pieces.append(on_buffer(buffer, sizes, strides, places))
    return tuple(pieces)


def _cat(tensors, dim):
    if wrap_dim(dim, tensors[0].dim()) != 0:
        raise RuntimeError("cat(): nested tensors can be joined along dimension 0 alone")
    kinds = [in_order(t)._mt_kind for t in tensors]
    elements = aten.cat([aten.view(kind.elements, (-1,)) for kind in kinds])
    sizes = aten.cat([kind.sizes for kind in kinds])
    return nested(elements, aten.view(sizes, shape_of(sizes)))


# ---- products, reductions, layers -----------------------------------------------------------------------------


def _linear(self, weight, bias):
    """Every row by a matrix; differentiable, for torch looks through it."""
    if not is_nested(self):
        raise RuntimeError("linear: the weight of a nested input is a plain matrix")
    width = shape_of(weight)[-1]
    rows = aten.linear(aten.reshape(buffer_of(in_order(self)), (-1, width)), weight, bias)
    return _of_rows(self, rows)


def _of_rows(self, rows):
    elements = aten.reshape(rows, (-1,))
    sizes, width = aten.clone(self._mt_kind.sizes), blank((), int64)
    run.fill(width, shape_of(rows)[1])
    aten.fill_(aten.select(sizes, 1, -1), width)
    return on_buffer(elements, sizes)


def _layer_norm(self, normalized_shape, weight, bias, eps, cudnn_enable):
    if weight is None or bias is None:
        raise ValueError("NestedTensor layer_norm requires weight and bias")
    buffer = buffer_of(in_order(self))
    normed = aten.layer_norm(aten.reshape(buffer, (-1, *normalized_shape)), normalized_shape, weight, bias, eps, True)
    return on_buffer(aten.reshape(normed, (-1,)), self._mt_kind.sizes)


def _matmul(self, other):
    for nested_side, plain, t in (("self", "other", other), ("other", "self", self)):
        if not is_nested(t):
            raise RuntimeError(f"Expected both to be nested, but got a nested {nested_side} and non-nested {plain}")
    return aten._nested_tensor_from_tensor_list([aten.matmul(a, b) for a, b in zip(unbound(self), unbound(other))])


def _bmm(self, mat2):
    for name, t in (("self", self), ("mat2", mat2)):
        if not is_nested(t):
            raise RuntimeError("Expected both to be nested, but got a nested "
                               f"{'mat2' if name == 'self' else 'self'} and non-nested {name}")
    shapes = [(a[0], b[1]) for (a, _, _), (b, _, _) in zip(geometry(self), geometry(mat2))]
    sizes = aten.new_empty(self._mt_kind.sizes, (len(shapes), 2))
    run.fill_from_list(sizes, shapes)
    product = nested(aten.new_empty(self._mt_kind.elements, (sum([n * m for n, m in shapes]),)), sizes)
    for i, place in enumerate(aten._nested_unbind(product)):
        aten.mm(_item(self, i), _item(mat2, i), out=place)
    return product


def _item(self, i: int):
    """One of the tensors."""
    elements, (size, stride, place) = self._mt_kind.elements, geometry(self)[i]
    return aten.as_strided(elements, size, stride, offset_of(elements) + place)


def _softmax(self, dim, half_to_float):
    ndim = 1 + shape_of(self._mt_kind.sizes)[1]
    at = wrap_dim(dim, ndim)
    if not at:
        raise RuntimeError("Cannot apply softmax across nested dimension 0")
    elements = aten.new_empty(self._mt_kind.elements, (sum([numel_of(t) for t in items(self)]),))
    out = nested(elements, aten.clone(self._mt_kind.sizes))
    for part, place in zip(aten._nested_unbind(self), aten._nested_unbind(out)):
        aten._softmax(part, at - 1, half_to_float, out=place)
    return out


def _softmax_backward(grad_output, output, dim, input_dtype):
    at = wrap_dim(dim, 1 + shape_of(output._mt_kind.sizes)[1])
    grad = like(output, aten.empty_like(output._mt_kind.elements))
    for place, given, part in zip(items(grad), items(grad_output), items(output)):
        run.copy(place, aten._softmax_backward_data(given, part, at - 1, input_dtype))
    return grad


def _native_dropout(input, p, train):
    dropped, mask = aten.native_dropout(in_order(input)._mt_kind.elements, p, train)
    return like(in_order(input), dropped), like(in_order(input), mask)


def _dropout(input, p, train):
    return aten.native_dropout(input, p, train)[0] if train and p else input


def _attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    if attn_mask is not None:
        raise RuntimeError("attn_mask is not supported with nested tensors")
    parts = [aten.scaled_dot_product_attention(aten.unsqueeze(q, 0), aten.unsqueeze(k, 0), aten.unsqueeze(v, 0),
                                               None, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
             for q, k, v in zip(unbound(query), unbound(key), unbound(value))]
    return aten._nested_tensor_from_tensor_list([aten.squeeze(part, 0) for part in parts])


def _embedding(weight, indices, *rest):
    picked = aten.embedding(weight, indices._mt_kind.elements, *rest)
    sizes = [(*size, shape_of(weight)[1]) for size, _, _ in geometry(indices)]
    return nested(aten.view(picked, (-1,)), sizes_tensor(sizes))


def _embedding_backward(grad, indices, *rest):
    values = indices._mt_kind.elements
    rows = aten.view(in_order(grad)._mt_kind.elements, (numel_of(values), -1))
    return aten.embedding_backward(rows, values, *rest)


def _is_same_size(self, other):
    return is_nested(self) and is_nested(other) and aten.equal(self._mt_kind.sizes, other._mt_kind.sizes)


def _masked_fill(self, mask, value):
    self, mask = _same_places(self, mask, "masked_fill")
    return like(self, aten.masked_fill(self._mt_kind.elements, mask._mt_kind.elements, value))


def _select(self, dim, index):
    if wrap_dim(dim, self.dim()) != 0:
        raise RuntimeError("nested tensors are selected from along dimension 0 alone")
    return _item(self, index)



WORKS = {
    **{name: _unary(name) for name in UNARY.split()}, **{name: _in_place(name) for name in IN_PLACE.split()},
    **{name: _binary(name) for name in BINARY.split()}, **{name: _compared(name) for name in COMPARISONS.split()},
    **{name: _backward(name) for name in BACKWARD.split()}, "gelu_backward": _gelu_backward,
    "add_": _in_place("add_"), "mul_": _in_place("mul_"),
    "gelu": lambda self, approximate: nested(
        aten.gelu(in_order(self)._mt_kind.elements, approximate=approximate), self._mt_kind.sizes),
    "clone": _clone, "empty_like": _empty_like, "_to_copy": _to_copy, "copy_": _copy_, "alias": _alias,
    "_detach": _alias, "fill_": _fill_, "zeros_like": lambda self, *rest: aten.zero_(aten.empty_like(self)),
    "ones_like": lambda self, *rest: aten.fill_(aten.empty_like(self), 1),
    "zero_": lambda self: _fill_(self, 0), "transpose": _transpose, "view": _view, "reshape": _reshape,
    "unsqueeze": _unsqueeze, "squeeze": _squeeze, "chunk": _chunk, "cat": _cat, "linear": _linear,
    "layer_norm": _layer_norm, "matmul": _matmul, "bmm": _bmm, "_softmax": _softmax,
    "_softmax_backward_data": _softmax_backward, "native_dropout": _native_dropout, "dropout": _dropout,
    "sum.dim_IntList": lambda self, dim, keepdim, dtype: aten._nested_sum(self, dim, keepdim),
    "scaled_dot_product_attention": _attention, "embedding": _embedding, "embedding_backward": _embedding_backward,
    "is_same_size": _is_same_size, "masked_fill": _masked_fill, "select": _select,
    "unbind": lambda self, dim: tuple(items(self)),
}
Nested.works.update(WORKS)
