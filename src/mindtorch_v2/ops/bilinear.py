"""Products of three tensors, and the bilinear layer made of them."""

from __future__ import annotations

from ..dispatch.aten import aten
from ..opdef.form import Op
from .einsum import pair


class Trilinear(Op):
    """The sum of products of three tensors, taken slice by slice along one dimension.

    Each tensor is given a dimension of size one where ``expand`` says; the dimensions in ``sumdim`` are summed.
    """

    schema = ("_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, "
              "int unroll_dim=1) -> Tensor")

    def body(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim):
        operands, expands = [i1, i2, i3], (expand1, expand2, expand3)
        for d in range(i1.dim() + len(expand1)):
            for at, expand in enumerate(expands):
                if d in expand:
                    operands[at] = aten.unsqueeze(operands[at], d)
        sizes = [max(t._mt_array.shape[d] for t in operands) for d in range(operands[0].dim())]
        early = [d for d in sumdim if d in expand3]  # the third tensor does not have these
        late = [d for d in sumdim if d not in expand3]
        out = aten.zeros(tuple(1 if d in sumdim else n for d, n in enumerate(sizes)), dtype=i1.dtype)
        steps = [0 if unroll_dim in expand else 1 for expand in expands]
        for k in range(sizes[unroll_dim]):
            second = aten.narrow(operands[1], unroll_dim, k * steps[1], 1)
            first = aten.narrow(operands[0], unroll_dim, k * steps[0], 1)
            made = pair(first, second, early)
            made = pair(made, aten.narrow(operands[2], unroll_dim, k * steps[2], 1), late)
            aten.add_(out if unroll_dim in sumdim else aten.narrow(out, unroll_dim, k, 1), made)
        for d in sorted(sumdim, reverse=True):
            out = aten.squeeze_(out, d)
        return out

    def grad_i1(grad, i2, i3, expand1, expand2, expand3, sumdim):
        return aten._trilinear(grad, i2, i3, sumdim, expand2, expand3, expand1)

    def grad_i2(grad, i1, i3, expand1, expand2, expand3, sumdim):
        return aten._trilinear(i1, grad, i3, expand1, sumdim, expand3, expand2)

    def grad_i3(grad, i1, i2, expand1, expand2, expand3, sumdim):
        return aten._trilinear(i1, i2, grad, expand1, expand2, sumdim, expand3)


class Bilinear(Op):
    """input1 @ weight @ input2 for every slice of the weight, plus a bias."""

    schema = "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"

    def body(input1, input2, weight, bias):
        _check(input1, input2, weight)
        lead = input1._mt_array.shape[:-1]
        first = aten.reshape(input1, (-1, input1._mt_array.shape[-1]))
        second = aten.reshape(input2, (-1, input2._mt_array.shape[-1]))
        made = aten._trilinear(first, weight, second, (1, 3), (0,), (1, 2), (2, 3))
        made = aten.reshape(made, (*lead, weight._mt_array.shape[0]))
        return made if bias is None else aten.add(made, bias)


def _check(input1, input2, weight) -> None:
    if input1.dim() != input2.dim():
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}")
    for d in range(input1.dim() - 1):
        if input1._mt_array.shape[d] != input2._mt_array.shape[d]:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {d}: got "
                               f"{input1._mt_array.shape[d]} and {input2._mt_array.shape[d]}")
    for number, t in ((1, input1), (2, input2)):
        if t._mt_array.shape[-1] != weight._mt_array.shape[number]:
            raise RuntimeError(f"bilinear(): input{number} size does not match weight size: got "
                               f"{t._mt_array.shape[-1]} but expected {weight._mt_array.shape[number]}")
