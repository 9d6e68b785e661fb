"""New tensors in the shape of others, filled as the forms in place fill them."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call
from ...dispatch.out_argument import fit
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..shared.not_differentiable import UNKNOWN, unknown
from .distributions import BernoulliP
from .inplace import (
    BernoulliTensor,
    Cauchy,
    Exponential,
    Geometric,
    LogNormal,
    Normal,
    Random,
    RandomBelow,
    RandomBetween,
    Uniform,
)

ONLY_ATEN = "torch.ops.aten has it, torch itself does not"
# overload, the form in place, the parameters, torch's node where its name is not the obvious one
FORMS = [
    ("exponential", Exponential, "float lambd=1.", None),
    ("cauchy", Cauchy, "float median=0., float sigma=1.", None),
    ("geometric", Geometric, "float p", None),
    ("log_normal", LogNormal, "float mean=1., float std=2.", None),
    ("uniform", Uniform, "float from=0., float to=1.", None),
    ("random.from", RandomBetween, "int from, int? to", "RandomBackward0"),
    ("random.to", RandomBelow, "int to", "RandomBackward1"),
    ("random", Random, "", "RandomBackward2"),
    ("bernoulli.Tensor", BernoulliTensor, "Tensor p", "BernoulliBackward1"),
]


def _declare(name: str, inplace, parameters: str, node: str | None) -> None:
    given = f"(Tensor self, {parameters}{', ' * bool(parameters)}*, Generator? generator=None"
    doc = f"{inplace.__doc__} In the shape of a tensor."

    def body(self, *args):
        return call(inplace.op, (aten.clone(self), *args))

    facets = {"body": body, "internal": ONLY_ATEN, "grad_self": lambda grad: aten.zeros_like(grad)}
    if "Tensor p" in parameters:
        facets["grad_p"] = lambda p: aten.zeros_like(p)
    if node:
        facets["node"] = node
    declare(f"{name}{given}) -> Tensor", doc, **facets)


for _row in FORMS:
    _declare(*_row)


class NormalFunctional(Op):
    """Normally distributed numbers, in the shape of a tensor."""

    schema = "normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor"
    internal = ONLY_ATEN
    node = UNKNOWN
    grads = unknown("normal_functional")
    grads_of = "self"

    def body(self, mean, std, generator):
        return call(Normal.op, (aten.clone(self), mean, std, generator))


class NormalOut(Op):
    """Normally distributed numbers in the shape of a tensor, into a given one."""

    schema = ("normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) "
              "-> Tensor(a!)")
    internal = ONLY_ATEN
    node = UNKNOWN
    grads = unknown("normal")
    grads_of = "self"

    def body(self, mean, std, generator, out):
        return _copied(NormalOut.op, out, call(NormalFunctional.op, (self, mean, std, generator)))


class BernoulliFloatOut(Op):
    """1 with one probability for all, else 0, in the shape of a tensor, into a given one."""

    schema = ("bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) "
              "-> Tensor(a!)")
    internal = ONLY_ATEN
    node = UNKNOWN
    grads = unknown("bernoulli")
    grads_of = "self"

    def body(self, p, generator, out):
        return _copied(BernoulliFloatOut.op, out, call(BernoulliP.op, (self, p, generator)))


def _copied(op, out, drawn):
    """What was drawn, copied into a tensor of its type that was given."""
    return aten.copy_(fit(op, out, Spec(shape_of(drawn), drawn.dtype)), drawn)
