"""Products of tensors of any dimensions: matmul, linear, tensordot and their kin, all made of mm, bmm and addmm."""

from __future__ import annotations

from ...core.geometry import broadcast_shapes, wrap_dim
from ...core.tensor import Tensor, is_in_order, ndim_of, numel_of, same_shape, shape_of, strides_of
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import fit, resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec, c_name
from ..shared.deprecations import deprecated
from ..shared.layout import into
from ..view.permute import T
from ..view.view import View
from .matmul import Addmm

OUT_LEARNS = ("tensordot(): the 'out' tensor was specified and requires gradients, and its shape does not match the "
              "expected result. Either remove the 'out' argument, ensure it does not require gradients, or make sure "
              "its shape matches the expected output.")


class Matmul(Op):
    """The matrix product; leading dimensions broadcast, vectors count as a row or a column."""

    schema = "matmul(Tensor self, Tensor other) -> Tensor"
    variants = "method"

    def body(self: Tensor, other):
        return multiplied(self, other)


class MatmulOut(Op):
    """The matrix product, into a given tensor."""

    schema = "matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "shares_inputs"
    below = "writes into a tensor"

    def body(self: Tensor, other, out):
        shape = shape_of(self)
        if len(shape) == 2 and ndim_of(other) == 2:
            return aten.mm(self, other, out=out)
        if len(shape) > 2 and ndim_of(other) == 2 and _folds(self, other):
            fit(_MATMUL_OUT, out, Spec((*shape[:-1], shape_of(other)[1]), self.dtype))
            rows = aten.reshape(self, (-1, shape[-1]))
            aten.mm(rows, other, out=aten.reshape(out, (-1, shape_of(out)[-1])))
            return out
        product = multiplied(self, other)
        return aten.copy_(fit(_MATMUL_OUT, out, Spec(shape_of(product), product.dtype)), product)


def multiplied(a, b):
    """The path torch takes for operands of these dimensions."""
    dims = (ndim_of(a), ndim_of(b))
    if dims == (2, 2):
        return aten.mm.call2(a, b)
    if 0 in dims:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and {dims[1]}D")
    if dims == (1, 1):
        return aten.dot.call2(a, b)
    if dims == (2, 1):
        return aten.mv.call2(a, b)
    if dims == (1, 2):
        return aten.squeeze_(aten.mm.call2(aten.unsqueeze(a, 0), b), 0)
    if dims[0] >= dims[1]:
        return _fold(a, b) if dims[1] <= 2 and _folds(a, b) else _batched(a, b)
    turned = aten.mT.call1(b)
    if dims[0] <= 2 and (dims[0] == 1 or learns(a)) and _folds(turned, a):
        return _fold_turned(a, b)
    return _batched(a, b)


def learns(t) -> bool:
    """Whether a tensor or, where gradients are switched off, what it is a view of has gradients; torch asks both."""
    return t._mt_requires or t._mt_base is not None and t._mt_base._mt_requires


def _folds(large, small) -> bool:
    """Whether the leading dimensions become one: where that costs no copy, and where the small operand learns."""
    if numel_of(large) == 0:
        return True
    shape, strides = shape_of(large), strides_of(large)
    for i in range(len(shape) - 2):
        if strides[i] != shape[i + 1] * strides[i + 1]:
            return learns(small)
    return True


def _fold(large, small):
    shape = shape_of(large)
    count = 1
    for size in shape[:-1]:
        count *= size
    rows = aten.reshape(large, (count, shape[-1]))
    if ndim_of(small) == 1:
        return aten._unsafe_view(aten.mv.call2(rows, small), shape[:-1])
    return aten._unsafe_view(aten.mm.call2(rows, small), (*shape[:-1], shape_of(small)[1]))


def _fold_turned(small, large):
    """small @ large as (large^T @ small^T)^T, so that the leading dimensions of the second operand can fold."""
    turned = aten.mT.call1(large)
    if ndim_of(small) == 1:
        return _fold(turned, small)
    product = aten.mT.call1(_fold(turned, aten.t.call1(small)))
    return product if is_in_order(product) else aten.contiguous(product)


def _batched(a, b):
    """Broadcast the leading dimensions, fold them into one, multiply matrix by matrix."""
    first, second = shape_of(a), shape_of(b)
    rows, inner = (first[-2] if len(first) > 1 else 1), first[-1]
    matrix = len(second) > 1
    lead = broadcast_shapes(first[:-2], second[:-2])
    count = 1
    for size in lead:
        count *= size
    a = aten.reshape(aten.expand(a, (*lead, rows, inner)), (count, rows, inner))
    tail = second[-2:] if matrix else second
    b = aten.reshape(aten.expand(b, (*lead, *tail)), (count, *tail))
    if not matrix:
        product = aten.squeeze(aten.bmm.call2(a, aten.unsqueeze(b, 2)), -1)
        return aten._unsafe_view(product, (*lead, rows))
    shape = (*lead, rows, tail[1]) if len(first) > 1 else (*lead, tail[1])
    return aten._unsafe_view(aten.bmm.call2(a, b), shape)


class Linear(Op):
    """input @ weight^T + bias."""

    schema = "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"

    def body(input, weight, bias):
        if bias is not None:
            ndim = ndim_of(input)
            if ndim == 2:
                return dispatcher.call(_ADDMM, (bias, input, dispatcher.call(_T, (weight,)), 1, 1))
            row = ndim_of(bias) == 1 or ndim_of(aten.squeeze(bias)) == 1
            if row and ndim_of(weight) == 2 and is_in_order(input) and ndim:
                shape = shape_of(input)
                flat = dispatcher.call(_VIEW, (input, (numel_of(input) // (shape[-1] or 1), shape[-1])))
                product = dispatcher.call(_ADDMM, (bias, flat, dispatcher.call(_T, (weight,)), 1, 1))
                return dispatcher.call(_VIEW, (product, (*shape[:-1], shape_of(product)[1])))
        product = aten.matmul.call2(input, dispatcher.call(_T, (weight,)))
        return product if bias is None else aten.add_(product, bias)


class LinearOut(Op):
    """input @ weight^T + bias, into a given tensor."""

    schema = "linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "shares_inputs"
    below = "writes into a tensor"

    def body(input, weight, bias, out):
        turned = dispatcher.call(_T, (weight,))
        if bias is not None and ndim_of(input) == 2:
            return aten.addmm(bias, input, turned, out=out)
        aten.matmul(input, turned, out=out)
        return out if bias is None else aten.add_(out, bias)


class Kron(Op):
    """The Kronecker product: every element of one tensor by all of the other."""

    schema = "kron(Tensor self, Tensor other) -> Tensor"
    variants = "method out"

    def body(self: Tensor, other, out=None):
        ndim = max(ndim_of(self), ndim_of(other))
        a = (1,) * (ndim - ndim_of(self)) + shape_of(self)
        b = (1,) * (ndim - ndim_of(other)) + shape_of(other)
        first = aten._unsafe_view(self, tuple(n for size in a for n in (size, 1)))
        second = aten._unsafe_view(other, tuple(n for size in b for n in (1, size)))
        shape = tuple(m * n for m, n in zip(a, b))
        if out is None:
            return aten._unsafe_view(aten.mul.call2(first, second), shape)
        pairs = tuple(n for sizes in zip(a, b) for n in sizes)
        aten.mul(first, second, out=aten._unsafe_view(resize_output(out, shape), pairs))
        return out


class Tensordot(Op):
    """Sums of products over pairs of dimensions."""

    schema = "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"
    internal = "torch.tensordot sorts out its dims first"
    variants = "out"

    def out(self, other, dims_self, dims_other, out):
        product = Tensordot.body(self, other, dims_self, dims_other)
        if out._mt_requires and not same_shape(out, product):
            raise RuntimeError(OUT_LEARNS)
        if out.dtype is not product.dtype:
            raise RuntimeError(f"tensordot: Expected the output tensor to have dtype {product.dtype.short}, but got an "
                               f"output tensor with dtype {out.dtype.short}")
        return aten.copy_(resize_output(out, shape_of(product)), product)

    def body(self: Tensor, other, dims_self, dims_other):
        if len(dims_self) != len(dims_other):
            raise RuntimeError("both dimension lists should have same length")
        a, b = shape_of(self), shape_of(other)
        for x, y in zip(dims_self, dims_other):
            if a[x] != b[y] and 1 not in (a[x], b[y]):
                raise RuntimeError(f"contracted dimensions need to match, but first has size {a[x]} in dim {x} and "
                                   f"second has size {b[y]} in dim {y}")
        first = [wrap_dim(d, len(a)) for d in dims_self]
        second = [wrap_dim(d, len(b)) for d in dims_other]
        self, other = _sum_ones(self, other, first, second), _sum_ones(other, self, second, first)
        kept1 = [d for d in range(len(a)) if d not in first]
        kept2 = [d for d in range(len(b)) if d not in second]
        shape = tuple(a[d] for d in kept1) + tuple(b[d] for d in kept2)
        left, right = aten.permute(self, (*kept1, *first)), None
        inner = 1
        for d in first:
            inner *= shape_of(self)[d]
        if not shape:
            right = aten.permute(other, (*second, *kept2))
            return aten.reshape(aten.dot(aten.flatten(left), aten.flatten(right)), ())
        left = aten.reshape(left, (-1 if inner else _count(a, kept1), inner))
        right = aten.reshape(aten.permute(other, (*second, *kept2)), (inner, -1 if inner else _count(b, kept2)))
        return aten.reshape(aten.mm.call2(left, right), shape)


def _count(shape, dims) -> int:
    count = 1
    for d in dims:
        count *= shape[d]
    return count


def _sum_ones(t, other, dims, other_dims):
    """A contracted dimension that is one on the other side is summed up front."""
    lone = tuple(d for d, o in zip(dims, other_dims) if shape_of(other)[o] == 1 and shape_of(t)[d] != 1)
    return aten.sum(t, lone, True, dtype=t.dtype) if lone else t


class ChainMatmul(Op):
    """The product of several matrices, in the order that costs least."""

    schema = "chain_matmul(Tensor[] matrices) -> Tensor"
    internal = "torch.chain_matmul takes them one by one"
    variants = "out"

    def body(matrices, out=None):
        deprecated("chain_matmul")
        if not matrices:
            raise RuntimeError("chain_matmul(): Expected one or more matrices")
        for t in matrices:
            if ndim_of(t) != 2:
                raise RuntimeError(f"Tensor dimension is {ndim_of(t)}, expected 2 instead.")
        if len(matrices) > 1:
            return multi_dot(matrices, out)
        return matrices[0] if out is None else aten.copy_(resize_output(out, shape_of(matrices[0])), matrices[0])


class MultiDot(Op):
    """The product of several matrices, in the order that costs least; vectors may stand at the ends."""

    schema = "linalg_multi_dot(Tensor[] tensors) -> Tensor"
    variants = "out"

    def body(tensors, out=None):
        if len(tensors) < 2:
            raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors)}")
        return multi_dot(tensors, out)


def multi_dot(tensors, out=None):
    """Multiply a chain of matrices by the cheapest order; the result's shape drops what vectors at the ends lent it."""
    tensors = list(tensors)
    _check_chain(tensors)
    lead, tail = ndim_of(tensors[0]) == 1, ndim_of(tensors[-1]) == 1
    if lead:
        tensors[0] = aten.unsqueeze(tensors[0], 0)
    if tail:
        tensors[-1] = aten.unsqueeze(tensors[-1], -1)
    rows, columns = shape_of(tensors[0])[0], shape_of(tensors[-1])[1]
    shape = (() if lead else (rows,)) + (() if tail else (columns,))
    if out is not None:
        if out.dtype is not tensors[0].dtype:
            raise RuntimeError(f"multi_dot(): expected out tensor to have dtype {c_name(tensors[0].dtype)} but got "
                               f"{c_name(out.dtype)}")
        written = aten.view(resize_output(out, shape), (rows, columns))
        _product(tensors, written)
        return out
    return aten.view(_product(tensors, None), shape)


def _product(tensors, out):
    if len(tensors) == 2:
        return aten.mm(tensors[0], tensors[1], **into(out))
    if len(tensors) == 3:
        return _three(*tensors, out)
    return _chain(tensors, _cheapest(tensors), 0, len(tensors) - 1, out)


def _check_chain(tensors) -> None:
    """Matrices, with vectors at the ends at most, or torch's complaint."""
    last = len(tensors) - 1
    for i, t in enumerate(tensors):
        at_end = i in (0, last)
        if ndim_of(t) != 2 and not (at_end and ndim_of(t) == 1):
            place = "the first tensor" if i == 0 else "the last tensor" if i == last else f"tensor {i}"
            raise RuntimeError(f"multi_dot(): {place} must be {'1D or 2D' if at_end else '2D'} but got {ndim_of(t)}D")


def _three(a, b, c, out):
    (m, k), (n, p) = shape_of(a), (shape_of(b)[1], shape_of(c)[1])
    if m * n * (k + p) <= k * p * (m + n):
        return aten.mm(aten.mm(a, b), c, **into(out))
    return aten.mm(a, aten.mm(b, c), **into(out))


def _cheapest(tensors) -> list[list[int]]:
    """Where to cut each stretch of the chain, by the cost of all shorter ones."""
    n = len(tensors)
    sizes = [shape_of(t)[0] for t in tensors] + [shape_of(tensors[-1])[1]]
    cost = [[0] * n for _ in range(n)]
    cut = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = [(cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i][j], cut[i][j] = min(options)
    return cut


def _chain(tensors, cut, i: int, j: int, out=None):
    if i == j:
        return tensors[i]
    return aten.mm(_chain(tensors, cut, i, cut[i][j]), _chain(tensors, cut, cut[i][j] + 1, j), **into(out))


# The ops called above, looked up once.
_ADDMM = Addmm.op
_MATMUL_OUT = MatmulOut.op
_T = T.op
_VIEW = View.op
