# cython: annotation_typing=False
"""Products of three tensors, and the bilinear layer made of them."""

from __future__ import annotations

from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import c_name
from .einsum import pair


class Trilinear(Op):
    """The sum of products of three tensors, taken slice by slice along one dimension.

    Each tensor is given a dimension of size one where ``expand`` says; the dimensions in ``sumdim`` are summed.
    """

    schema = ("_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, "
              "int unroll_dim=1) -> Tensor")

    def body(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim):
        operands, expands = [i1, i2, i3], (expand1, expand2, expand3)
        ndim = ndim_of(i1) + len(expand1)
        if not 0 <= unroll_dim < ndim:
            raise RuntimeError(f"unroll_dim must be in [0,{ndim - 1}]")
        expands = [_each_once(expand, ndim) for expand in expands]
        expand3, sumdim = expands[2], _each_once(sumdim, ndim)
        for d in range(ndim):
            for at, expand in enumerate(expands):
                if d in expand:
                    operands[at] = aten.unsqueeze(operands[at], d)
        sizes = [_size(operands, expands, d) for d in range(ndim)]
        early = [d for d in sumdim if d in expand3]  # the third tensor does not have these
        late = [d for d in sumdim if d not in expand3]
        out = aten.zeros(tuple(1 if d in sumdim else n for d, n in enumerate(sizes)), dtype=i1.dtype)
        steps = [0 if unroll_dim in expand else 1 for expand in expands]
        empty = 0 in [numel_of(t) for t in operands]
        for k in range(0 if empty else sizes[unroll_dim]):
            second = aten.narrow(operands[1], unroll_dim, k * steps[1], 1)
            first = aten.narrow(operands[0], unroll_dim, k * steps[0], 1)
            product = pair(first, second, early)
            product = pair(product, aten.narrow(operands[2], unroll_dim, k * steps[2], 1), late)
            aten.add_(out if unroll_dim in sumdim else aten.narrow(out, unroll_dim, k, 1), product)
        for d in sorted(sumdim, reverse=True):
            out = aten.squeeze_(out, d)
        return out

    def grad_i1(grad, i2, i3, expand1, expand2, expand3, sumdim):
        return aten._trilinear(grad, i2, i3, sumdim, expand2, expand3, expand1)

    def grad_i2(grad, i1, i3, expand1, expand2, expand3, sumdim):
        return aten._trilinear(i1, grad, i3, expand1, sumdim, expand3, expand2)

    def grad_i3(grad, i1, i2, expand1, expand2, expand3, sumdim):
        return aten._trilinear(i1, i2, grad, expand1, expand2, sumdim, expand3)


def _each_once(dims, ndim: int) -> list[int]:
    """Dimensions counted from the front, no two of them the same."""
    wrapped = [wrap_dim(d, ndim) for d in dims]
    for d in wrapped:
        if wrapped.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def _size(operands, expands, dim: int) -> int:
    """The size of a dimension of the product: that of the last operand that came with it."""
    size = 0
    for t, expand in zip(operands, expands):
        wrap_dim(dim, ndim_of(t))
        if dim not in expand:
            size = shape_of(t)[dim]
    return size


class Bilinear(Op):
    """input1 @ weight @ input2 for every slice of the weight, plus a bias."""

    schema = "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"

    def body(input1, input2, weight, bias):
        _check_types(input1, input2, weight, bias)
        _check(input1, input2, weight)
        lead = shape_of(input1)[:-1]
        first = aten.reshape(input1, (-1, shape_of(input1)[-1]))
        second = aten.reshape(input2, (-1, shape_of(input2)[-1]))
        product = aten._trilinear(first, weight, second, (1, 3), (0,), (1, 2), (2, 3))
        product = aten.reshape(product, (*lead, shape_of(weight)[0]))
        return product if bias is None else aten.add(product, bias)


def _check_types(input1, input2, weight, bias) -> None:
    given = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    types = {name: t.dtype for name, t in given.items() if t is not None}
    if len(set(types.values())) > 1:
        listed = ", ".join([f"{name}: {c_name(dtype)}" for name, dtype in types.items()])
        raise RuntimeError(f"All tensors must have the same dtype, got {listed}")


def _check(input1, input2, weight) -> None:
    if ndim_of(input1) != ndim_of(input2):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {ndim_of(input1)} and {ndim_of(input2)}")
    for d in range(ndim_of(input1) - 1):
        if shape_of(input1)[d] != shape_of(input2)[d]:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {d}: got "
                               f"{shape_of(input1)[d]} and {shape_of(input2)[d]}")
    for number, t in ((1, input1), (2, input2)):
        if shape_of(t)[-1] != shape_of(weight)[number]:
            raise RuntimeError(f"bilinear(): input{number} size does not match weight size: got "
                               f"{shape_of(t)[-1]} but expected {shape_of(weight)[number]}")
