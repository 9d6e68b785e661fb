"""The tangents of an op's results, from those of its arguments: one rule for each policy (opdef/tangent_policy.py)."""

from __future__ import annotations

from ..autograd.api import grad as gradients_of
from ..autograd.op_node import conjugate, fact
from ..autograd.tangents import tangent_of
from ..core import forward_levels, modes
from ..core.dtype import COMPLEX, FLOATING
from ..core.fields import set_history
from ..core.slots import Work
from ..core.tensor import Tensor, shape_of
from ..opdef import table, tangent_policy
from ..opdef.derivative import FACT, GRAD, GRADS, NEEDS, RESULT0, Formula
from ..opdef.operator import Operator
from . import dispatcher

# Tangents of batches need not lie in memory as their tensors do, for which the geometry of these was worked out.
RESHAPING = ("view", "_reshape_alias", "_unsafe_view")

REFUSED = "Trying to use forward AD with {} that does not support it because it has not been implemented yet."


def tangents_of(op: Operator, args, result, tangents: dict, level: int):
    """The tangent of the result, or one for each of several results; None stands for zeros."""
    if "composed" in op.form:
        return composed(op, args, result, level)
    policy = tangent_policy.policy_of(op)
    if policy == tangent_policy.REFUSED:
        raise NotImplementedError(REFUSED.format(op.name))
    rule = RULES[policy]
    if rule is elementwise and not has_factors(op, args, result, tangents):
        rule = transposed
    try:
        return rule(op, args, result, tangents)
    except NotImplementedError as error:  # a parameter without a formula
        raise NotImplementedError(REFUSED.format(op.name)) from error


def has_factors(op: Operator, args, result: Tensor, tangents: dict) -> bool:
    """Whether an elementwise derivative is a product with a number, as it is but for some functions of complex ones."""
    if all(args[i].dtype.category < COMPLEX for i in tangents):
        return True
    return result.dtype.category == COMPLEX and (op.backward.conjugates or op.form.get("conjugate", True))


def elementwise(op: Operator, args, result: Tensor, tangents: dict) -> Tensor | None:
    """The formulas of the gradients, each on the tangent of its parameter."""
    terms = []
    for i, tangent in tangents.items():
        tangent = Work.cast(tangent, result.dtype) if tangent.dtype is not result.dtype else tangent
        if shape_of(tangent) != shape_of(result):
            tangent = Work.expand(tangent, shape_of(result))
        terms += [term for term in formulas_on(op, args, result, [tangent], {i: tangent}) if term is not None]
    return total(terms)


def linear(op: Operator, args, result, tangents: dict):
    """The op on the tangents instead of the differentiable arguments."""
    if op.name in RESHAPING and tangents[0]._mt_kind is not None:
        return Work.reshape(tangents[0], shape_of(result))
    replaced = list(args)
    for i in op.backward.params:
        value, tangent = args[i], tangents.get(i)
        if isinstance(value, (list, tuple)):
            several = tangent or [None] * len(value)
            replaced[i] = [Work.zeros_like(item) if t is None else t for item, t in zip(value, several)]
        elif value is not None:
            replaced[i] = Work.zeros_like(value) if tangent is None else tangent
    if op.mutates >= 0 and op.mutates not in tangents:
        replaced[op.mutates] = Work.zeros_like(args[op.mutates])
    elif op.inplace_view:
        replaced[op.mutates] = Work.view_as(tangents[op.mutates], tangents[op.mutates])
    is_batch = any(isinstance(t, Tensor) and t._mt_kind is not None for t in tangents.values())
    return dispatcher.call(functional(op) if is_batch else op, tuple(replaced))


def bilinear(op: Operator, args, result, tangents: dict) -> Tensor | None:
    """The sum of the op on each tangent beside the other operands."""
    return total([dispatcher.call(functional(op), (*args[:i], t, *args[i + 1:])) for i, t in tangents.items()])


def functional(op: Operator) -> Operator:
    """The op whose in-place form this is, or the op itself."""
    if op.mutates < 0 or op.inplace_view:
        return op
    return table.find(op.name.removesuffix("_"), op.overload)


def added_product(op: Operator, args, result: Tensor, tangents: dict) -> Tensor | None:
    """``beta * self + product``: the scaled tangent of the one, and the products with a tangent, without the other."""
    beta = op.index["beta"]
    without_first = (*args[:beta], 0, *args[beta + 1:])
    terms = []
    for i, tangent in tangents.items():
        if i == 0:
            term = tangent if args[beta] == 1 else Work.mul(tangent, args[beta])
            terms.append(term if shape_of(term) == shape_of(result) else Work.expand(term, shape_of(result)))
        else:
            terms.append(dispatcher.call(functional(op), (*without_first[:i], tangent, *without_first[i + 1:])))
    return total(terms)


def selecting(op: Operator, args, result, tangents: dict):
    """What stands in the tangent where the values were chosen."""
    (tangent,) = tangents.values()
    indices = result[1]
    if not shape_of(tangent):
        return tangent, None
    dim = args[op.index["dim"]]
    keeps = "keepdim" not in op.index or args[op.index["keepdim"]]
    chosen = Work.gather(tangent, dim, indices if keeps else Work.unsqueeze(indices, dim))
    return (chosen if keeps else Work.squeeze(chosen, dim)), None


def transposed(op: Operator, args, result, tangents: dict):
    """Backward is linear in the gradient: its own backward, begun with the tangents, is the forward derivative."""
    results = result if isinstance(result, (list, tuple)) else (result,)
    wanted = modes.set_grad(True)
    try:
        starts = [start_for(op, number, tensor) for number, tensor in enumerate(results)]
        watched = [start for start in starts if start is not None]
        pairs = [(back, t) for back, t in gradients(op, args, result, starts, tangents) if back._mt_requires]
        derived = [None] * len(watched)
        if pairs:
            back, given = zip(*pairs)
            derived = gradients_of(back, watched, given, create_graph=wanted, allow_unused=True)
    finally:
        modes.set_grad(wanted)
    following = iter([Work.zeros_like(start) if t is None else t for start, t in zip(watched, derived)])
    products = [None if start is None else next(following) for start in starts]
    return products if isinstance(result, (list, tuple)) else products[0]


def composed(op: Operator, args, result, level: int):
    """The op written in other ops that tangents go through, on the arguments that have them."""
    with forward_levels.up_to(level):
        answer = op.form["composed"](*args)
        tangent = tangent_of(answer, level)
    return tangent if isinstance(result, Tensor) else [tangent] + [None] * (len(result) - 1)


def start_for(op: Operator, number: int, result: Tensor | None) -> Tensor | None:
    """A gradient of a result to begin with; its value does not matter."""
    if result is None or result.dtype.category < FLOATING or number in op.no_grad_for:
        return None
    start = Work.zeros_like(result)
    set_history(start, None, 0, True)
    return start


def gradients(op: Operator, args, result, starts: list, tangents: dict) -> list[tuple[Tensor | None, Tensor]]:
    """What backward makes of the first gradients for each parameter with a tangent, and that tangent."""
    first = next((start for start in starts if start is not None), None)
    conjugates = op.backward.conjugates and first is not None and first.dtype.category == COMPLEX
    grads = [conjugate(start) for start in starts] if conjugates else starts
    pairs = []
    for value, (i, tangent) in zip(formulas_on(op, args, result, grads, tangents), sorted(tangents.items())):
        several = isinstance(tangent, list)
        values, given = (value, tangent) if several else ([value], [tangent])
        for one, t, arg in zip(values, given, args[i] if several else [args[i]]):
            if one is not None and t is not None:
                pairs.append((fitted(conjugate(one) if conjugates else one, arg), t))
    return pairs


def fitted(gradient: Tensor, arg: Tensor) -> Tensor:
    """A gradient in the shape and the type of what it belongs to."""
    if shape_of(gradient) != shape_of(arg):
        gradient = Work.sum_to(gradient, shape_of(arg))
    return gradient if gradient.dtype is arg.dtype else Work.cast(gradient, arg.dtype)


def formulas_on(op: Operator, args, result, grads: list, tangents: dict) -> list:
    """What the formulas say for each parameter with a tangent, in the order of the parameters."""
    backward = op.backward
    needs = [i in tangents for i in backward.params]
    if backward.joint:
        answers = list(called(backward.formulas[0], args, result, grads, needs))
        return [answers[at] for at, needed in enumerate(needs) if needed]
    return [called(f, args, result, grads, needs) for f, needed in zip(backward.formulas, needs) if needed]


def called(formula: Formula, args, result, grads: list, needs: list):
    """A formula with what its declaration asks for, of the call that is going on."""
    return formula.function(*[value_of(source, args, result, grads, needs) for source in formula.sources])


def value_of(source: int, args, result, grads: list, needs: list):
    """An argument of a formula, from where its declaration says it comes."""
    if source >= FACT:
        value = args[source % FACT]
        return [fact(item, source) for item in value] if isinstance(value, (list, tuple)) else fact(value, source)
    if source >= 0:
        return args[source]
    if source <= RESULT0:
        return result if isinstance(result, Tensor) else result[RESULT0 - source]
    return {GRAD: grads[0], GRADS: grads, NEEDS: needs}[source]


def total(terms: list[Tensor]) -> Tensor | None:
    """The sum of some tangents."""
    sum_so_far = None
    for term in terms:
        sum_so_far = term if sum_so_far is None else Work.add(sum_so_far, term)
    return sum_so_far


RULES = {tangent_policy.TRANSPOSED: transposed, tangent_policy.ELEMENTWISE: elementwise,
         tangent_policy.LINEAR: linear, tangent_policy.BILINEAR: bilinear,
         tangent_policy.ADDED_PRODUCT: added_product, tangent_policy.SELECTING: selecting}
