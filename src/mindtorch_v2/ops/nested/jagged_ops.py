"""What ops do with jagged tensors: most of them the same with the values."""

from __future__ import annotations

from ...core.geometry import wrap_dim
from ...core.tensor import Tensor, ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from .jagged import Jagged, NestedTensor, jagged_from_list, lengths_of, parts_of, with_values
from .jagged_reductions import WORKS as REDUCTIONS
from .jagged_reductions import again, values_of

# Ops on every element beside those that are declared as elementwise, and ops that make tensors like another.
ELEMENTWISE = frozenset("""
    _conj _detach _neg_view _to_copy abs add addcdiv addcmul alias bernoulli bernoulli_ clamp clone copy_ detach div
    elu elu_backward empty_like eq fill_ floor_divide fmod full_like ge gelu gelu_backward gt hardtanh
    hardtanh_backward isfinite isinf isnan le leaky_relu leaky_relu_backward lerp logical_and logical_not logical_or
    logical_xor lt masked_fill mul nan_to_num native_dropout_backward ne ones_like pow rand_like randn_like relu relu_
    remainder rsub sigmoid sigmoid_backward silu silu_backward softplus square sub tanh tanh_backward
    threshold_backward where zero_ zeros_like
""".split())
MOVING = frozenset("_to_copy empty_like zeros_like ones_like full_like rand_like randn_like".split())  # offsets too
# Reductions of everything are reductions of the values.
WHOLE = frozenset("max min all any argmax argmin median is_same_size equal".split())


def answer(func, args: tuple, kwargs: dict):
    """An op with jagged tensors among its arguments."""
    name = func._opname
    work = WORKS.get(name)
    if work is not None:
        return work(func, *args, **kwargs)
    if func.op.pointwise or name in ELEMENTWISE:
        return _elementwise(func, args, kwargs)
    if name in WHOLE and len(args) == 1:
        return func(*_values(args), **kwargs)
    raise NotImplementedError(f"{func}: not supported for NestedTensor of the jagged layout")


def _first(args) -> NestedTensor:
    return next(a for a in args if isinstance(a, NestedTensor))


def _values(args) -> list:
    return [a._values if isinstance(a, NestedTensor) else a for a in args]


def _elementwise(func, args: tuple, kwargs: dict):
    """The op on the values; plain tensors among the arguments are spread over the tensors they belong to."""
    first = _first(args)
    given = []
    for value in args:
        if isinstance(value, NestedTensor):
            if value._mt_kind.size != first._mt_kind.size or value._ragged_idx != first._ragged_idx:
                shapes = [tuple(a.shape) for a in args if isinstance(a, Tensor)]
                raise RuntimeError(f"cannot call binary pointwise function {func.__name__} with inputs of shapes "
                                   f"{shapes[0]} and {shapes[1]}")
            given.append(value._values)
        elif isinstance(value, Tensor) and numel_of(value) != 1:
            given.append(_spread(value, first, func))
        else:
            given.append(value)
    kwargs = {key: value for key, value in kwargs.items() if key not in ("layout", "memory_format", "pin_memory")}
    result = func(*given, **kwargs)
    if func.op.mutates >= 0:
        return args[func.op.mutates]
    if func._opname in MOVING:
        aten.to(first._offsets, first._offsets.dtype)
    return with_values(first, result)


def _spread(value: Tensor, like: NestedTensor, func) -> Tensor:
    """A plain tensor as values beside those of a jagged one."""
    if ndim_of(value) < ndim_of(like):
        return value  # the dimensions behind the ragged one
    if shape_of(value)[like._ragged_idx] not in (1, max(lengths_of(like))):
        raise RuntimeError(f"cannot call binary pointwise function {func.__name__} with inputs of shapes "
                           f"{tuple(like.shape)} and {tuple(value.shape)}")
    dim, parts = like._ragged_idx - 1, []
    for i, n in enumerate(lengths_of(like)):
        part = aten.select(value, 0, i if shape_of(value)[0] > 1 else 0)
        if shape_of(part)[dim] == 1:
            sizes = list(shape_of(part))
            sizes[dim] = n
            parts.append(aten.expand(part, tuple(sizes)))
        else:
            parts.append(aten.narrow(part, dim, 0, n))
    return aten.cat(parts, dim)


def _get_values(func, self):
    return aten.detach(self._values)


def _transpose(func, self, dim0, dim1):
    ndim, ragged = ndim_of(self), self._ragged_idx
    dim0, dim1 = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    if not dim0 or not dim1:
        raise RuntimeError("transpose(): not supported for NestedTensor on dim=0")
    moved = dim1 if ragged == dim0 else dim0 if ragged == dim1 else ragged
    return with_values(self, func(aten._nested_get_values(self), dim0 - 1, dim1 - 1), moved)


def _along_inner(name: str, place: int):
    """Ops along a dimension of the values: any but the first and the ragged one."""
    def work(func, self, *args, **kwargs):
        args = list(args) if len(args) > place else [*args, *func.op.defaults[len(args) + 1:place + 2]]
        dim = wrap_dim(args[place], ndim_of(self) + (name == "unsqueeze"))
        if dim == 0 or (dim == self._ragged_idx and name not in ("unsqueeze",)):
            raise RuntimeError(f"{name}(): not supported for NestedTensor on "
                               f"{'dim=0' if dim == 0 else 'ragged dim'}")
        args[place] = dim - 1
        return _wrapped(self, func(self._values, *args, **kwargs), self._ragged_idx)
    return work


def _wrapped(self, result, ragged: int):
    if isinstance(result, Tensor):
        return with_values(self, result, ragged)
    return type(result)([with_values(self, part, ragged) for part in result])


def _unbind(func, self, dim=0):
    values = aten._nested_get_values(self)
    if self._lengths is not None:
        return tuple(parts_of(values, self))
    return tuple(aten.split_with_sizes(values, tuple(aten.diff(self._offsets).tolist()), self._ragged_idx - 1))


def _select(func, self, dim, index):
    if wrap_dim(dim, ndim_of(self)) == 0:
        return aten.unbind(self, 0)[index]
    return _along_inner("select", 0)(func, self, dim, index)


def _softmax_backward(func, grad_output, output, dim, input_dtype):
    inner = wrap_dim(dim, ndim_of(output)) - 1
    return with_values(output, func(grad_output._values, output._values, inner, input_dtype))


def _to_padded(func, self, padding, output_size=None):
    if self._ragged_idx != 1:
        raise RuntimeError("to_padded_tensor(): the ragged dimension of a jagged tensor must be the second one")
    if self._lengths is not None:
        raise RuntimeError("to_padded_tensor(): not supported for nested tensors with holes")
    longest = max(lengths_of(self), default=0) if output_size is None else output_size[1]
    return aten._jagged_to_padded_dense_forward(aten._nested_get_values(self), [self._offsets], (longest,), padding)


def _native_layer_norm(func, input, normalized_shape, *rest):
    normed, mean, rstd = func(input._values, normalized_shape, *rest)
    return with_values(input, normed), mean, rstd


def _native_layer_norm_backward(func, grad_out, input, normalized_shape, *rest):
    of_input, *of_parameters = func(grad_out._values, input._values, normalized_shape, *rest)
    return (None if of_input is None else with_values(input, of_input), *of_parameters)


def _native_dropout(func, input, *rest):
    return tuple([with_values(input, part) for part in func(input._values, *rest)])


def _cat(func, tensors, dim=0):
    first = _first(tensors)
    at = wrap_dim(dim, ndim_of(first))
    if at == 0:
        raise RuntimeError("cat(): not supported for NestedTensor on dim=0")
    return with_values(first, func([t._values for t in tensors], at - 1))


def _embedding(func, weight, indices, *rest):
    return with_values(indices, func(weight, indices._values, *rest))


def _embedding_backward(func, grad, indices, *rest):
    return func(*_values((grad, indices)), *rest)


def _view(func, self, size):
    ragged = self._ragged_idx
    sizes = [numel if numel != -1 or i != ragged else shape_of(self._values)[ragged - 1]
             for i, numel in enumerate(size)]
    sizes = [shape_of(self._values)[ragged - 1] if n == self._mt_kind.size else n for n in sizes]
    return with_values(self, aten.view(self._values, tuple(sizes[1:])))


WORKS = {
    "_nested_get_values": _get_values, "transpose": _transpose, "_softmax": _along_inner("softmax", 0),
    "_log_softmax": _along_inner("log_softmax", 0), "unsqueeze": _along_inner("unsqueeze", 0),
    "squeeze": _along_inner("squeeze", 0), "split": _along_inner("split", 1), **REDUCTIONS,
    "split_with_sizes": _along_inner("split_with_sizes", 1), "select": _select,
    "_softmax_backward_data": _softmax_backward, "native_layer_norm": _native_layer_norm,
    "native_layer_norm_backward": _native_layer_norm_backward, "native_dropout": _native_dropout, "cat": _cat,
    "embedding": _embedding, "embedding_dense_backward": _embedding_backward, "view": _view,
    "unbind": _unbind,
    "to_padded_tensor": _to_padded,
}


# ---- compositions, which autograd looks through ---------------------------------------------------------------


def _linear(input, weight, bias):
    return again(input, aten.linear(values_of(input), weight, bias))


def _matmul(self, other):
    if isinstance(self, NestedTensor) and not isinstance(other, NestedTensor) and self._ragged_idx < ndim_of(self) - 1:
        return again(self, aten.matmul(values_of(self), other))
    pairs = zip(*[t.unbind() if isinstance(t, NestedTensor) else aten.unbind(t) for t in (self, other)])
    products = [aten.matmul(a, b) for a, b in pairs]
    return jagged_from_list(products, _first((self, other)))


def _chunk(self, chunks, dim):
    at = wrap_dim(dim, ndim_of(self))
    if at in (0, self._ragged_idx):
        raise RuntimeError(f"chunk(): not supported for NestedTensor on {'dim=0' if at == 0 else 'ragged dim'}")
    return tuple([again(self, part) for part in aten.chunk(values_of(self), chunks, at - 1)])


def _dropout(input, p, train):
    return aten.native_dropout(input, p, train)[0]


def _attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    """Tensor by tensor: heads before the ragged dimension."""
    if attn_mask is not None:
        raise RuntimeError("attn_mask is not supported with jagged tensors")
    parts = [aten.scaled_dot_product_attention(*[aten.unsqueeze(t, 0) for t in three], None, dropout_p, is_causal,
                                               scale=scale, enable_gqa=enable_gqa)
             for three in zip(query.unbind(), key.unbind(), value.unbind())]
    return again(query, aten.cat([aten.squeeze(part, 0) for part in parts], query._ragged_idx - 1))


def _reshape(self, shape):
    return aten.view(self.contiguous(), shape)


Jagged.compositions.update({"linear": _linear, "matmul": _matmul, "chunk": _chunk, "dropout": _dropout,
                            "scaled_dot_product_attention": _attention, "reshape": _reshape})
