"""Forms with ``out=`` that torch computes as if nothing were given, and copies."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import fit
from ...opdef.form import declare
from ...opdef.operator import Operator
from ...opdef.rules import Spec
from ...opdef.schema import TENSOR
from .not_differentiable import UNKNOWN, unknown


def declare_out_by_copy(op: Operator, overload: str = "out", differentiable: bool = False) -> None:
    """The form of an op that writes into a given tensor; torch knows the derivative of a few of them."""
    params = op.schema.sentence.partition("(")[2].rpartition(") -> ")[0]

    def body(*args):
        *given, out = args
        result = dispatcher.call(op, tuple(given))
        fit(copying.op, out, Spec(shape_of(result), result.dtype))
        return aten.copy_(out, result)

    tensors = " ".join([p.name for p in op.schema.params if p.kind == TENSOR])
    not_differentiable = {} if differentiable else {"node": UNKNOWN, "grads": unknown(op.name), "grads_of": tensors}
    copying = declare(f"{op.name}.{overload}({params}, *, Tensor(a!) out) -> Tensor(a!)", op.doc, body=body,
                      internal="torch.ops.aten", **not_differentiable)
