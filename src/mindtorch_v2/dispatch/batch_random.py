"""Random numbers under vmap: different ones for each member, the same for all, or none at all."""

from __future__ import annotations

from ..core.dtype import bool_
from ..core.tensor import ndim_of, shape_of
from ..opdef.operator import Operator
from ..opdef.schema import INT, INTS
from . import batch_levels, dispatcher
from .aten import aten
from .batch_call import Call, outside, padded, tensors_of
from .batch_levels import DIFFERENT, ERROR, SAME
from .batch_loop import become_batched, incompatible, loop, owns_memory

# What an op draws for: a shape, the elements of a tensor, what is written over, numbers of one kind for each element.
FACTORIES = {"rand", "randn", "randint", "randperm"}
LIKE = {"rand_like", "randn_like", "randint_like"}
IN_PLACE = {"random_", "cauchy_", "exponential_", "geometric_", "log_normal_", "normal_", "uniform_", "bernoulli_"}
OF_ELEMENTS = {"bernoulli", "normal", "_standard_gamma", "_sample_dirichlet", "poisson", "binomial", "exponential",
               "cauchy", "geometric", "log_normal", "uniform", "random", "normal_functional"}
DROPOUTS = {"dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"}  # they draw into what they make
OTHERS = {"multinomial", "native_dropout", "rrelu_with_noise", "rrelu_with_noise_", "rrelu_with_noise_functional"}
NAMES = frozenset(FACTORIES | LIKE | IN_PLACE | OF_ELEMENTS | DROPOUTS | OTHERS)


def answer(op: Operator, args: tuple):
    """A call that draws inside of a vmap."""
    level = batch_levels.innermost()
    if op.is_out:
        raise RuntimeError("vmap: We do not support calling out variants of random operations inside of vmap. Please "
                           "use non-out variants as a workaround")
    if op.name in DROPOUTS:
        return composed(op, args)
    call = Call(op, args, level.number)
    call.size = level.size
    return outside(level.number, rule_of(op), call, level.randomness)



def composed(op: Operator, args: tuple):
    """An op that draws into what it makes."""
    before = batch_levels.set_making(True)
    try:
        return op.work(*args)
    finally:
        batch_levels.set_making(before)


def rule_of(op: Operator):
    """How an op draws."""
    if op.name in RULES:
        return RULES[op.name]
    if op.name in IN_PLACE:
        return overwritten
    if op.name in LIKE:
        return like
    return of_elements if op.tensors else factory


def check(randomness: str, is_any_batched: bool = False) -> None:
    """Refuse to draw where vmap was not told what that means, or would mean the same numbers for different members."""
    if randomness == ERROR:
        raise RuntimeError("vmap: called random operation while in randomness error mode. Please either use the 'same' "
                           "or 'different' randomness flags on vmap or perform the randomness operation out of vmap")
    if randomness == SAME and is_any_batched:
        raise RuntimeError("Vmap does not currently support same randomness with a batched tensor input. Please file "
                           "an issue with functorch")


def factory(call: Call, randomness: str):
    """``rand`` and the like: one shape, or one with the batch before it."""
    check(randomness)
    if randomness == SAME:
        return dispatcher.call(call.op, call.args)
    args = list(call.args)
    for i, param in enumerate(call.op.schema.params):
        if param.name == "size" and param.kind in (INT, INTS):
            args[i] = (call.size, *args[i])
    return call.members(dispatcher.call(call.op, tuple(args)))


def permutation(call: Call, randomness: str):
    """``randperm``: one after the other."""
    check(randomness)
    if randomness == SAME:
        return dispatcher.call(call.op, call.args)
    return call.members(aten.stack([dispatcher.call(call.op, call.args) for _ in range(call.size)], 0))


def like(call: Call, randomness: str):
    """``rand_like`` and the like: the same for all as for the first member."""
    check(randomness)
    x = call.args[0]
    if randomness == DIFFERENT:
        return call.members(dispatcher.call(call.op, (call.full(x), *call.args[1:])))
    value = call.front(x)
    return dispatcher.call(call.op, (aten.select(value, 0, 0) if call.is_batched(x) else value, *call.args[1:]))


def of_elements(call: Call, randomness: str):
    """``bernoulli`` and the like: what is drawn depends on what the tensors hold."""
    tensors = tensors_of(call.op, call.args)
    check(randomness, any([call.is_batched(tensor) for tensor in tensors]))
    if randomness == SAME:
        return dispatcher.call(call.op, tuple(call.mapped(call.front)))
    rank = max([ndim_of(tensor) for tensor in tensors])
    return call.members(dispatcher.call(call.op, tuple(call.mapped(lambda tensor: padded(call.full(tensor), rank)))))


def overwritten(call: Call, randomness: str):
    """``uniform_`` and the like."""
    x, *others = tensors_of(call.op, call.args)
    check(randomness, any([call.is_batched(tensor) for tensor in others]))
    if not call.is_batched(x):
        if any([call.is_batched(tensor) for tensor in others]):
            raise incompatible("inplace " + call.op.name.removesuffix("_"))
        if randomness == DIFFERENT and batch_levels.is_making() and owns_memory(x):
            become_batched(x, call)
        elif randomness == DIFFERENT:
            raise RuntimeError("vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will "
                               "appear like same randomness. If this is necessary for your usage, please file an issue "
                               "with functorch.")
    if randomness == SAME and call.is_batched(x):
        drawn = dispatcher.call(call.op, (aten.empty(shape_of(x), dtype=x.dtype, device=x.device), *call.args[1:]))
        return aten.copy_(x, drawn)
    dispatcher.call(call.op, tuple(call.mapped(call.front)))
    return x


def dropped(call: Call, randomness: str):
    """``native_dropout``: members of one mask, where it is the same for all."""
    x, p, train = call.args
    if train is not False:
        check(randomness)
    if train is False or randomness == DIFFERENT:
        return call.members(dispatcher.call(call.op, (call.full(x), p, train)))
    value = call.front(x)
    kept = aten.bernoulli_(aten.empty_like(aten.select(value, 0, 0) if call.is_batched(x) else value), 1 - p)
    result = aten.mul(aten.mul(value, kept), 0. if p == 1 else 1 / (1 - p))
    mask = aten.to(kept, bool_)
    return (call.members(result) if call.is_batched(x) else result), mask


def multinomial(call: Call, randomness: str):
    """``multinomial``: rows of members are rows of the whole."""
    x, *rest = call.args
    check(randomness, call.is_batched(x))
    if randomness == SAME:
        return dispatcher.call(call.op, (call.front(x), *rest))
    value = call.full(x)
    if ndim_of(x) != 2:
        return call.members(dispatcher.call(call.op, (value, *rest)))
    shape = shape_of(value)
    drawn = dispatcher.call(call.op, (aten.reshape(value, (-1, shape[2])), *rest))
    return call.members(aten.reshape(drawn, (*shape[:2], -1)))


def one_by_one(call: Call, randomness: str):
    """Ops that draw while they compute: one member after the other."""
    check(randomness, randomness == SAME and any([call.is_batched(t) for t in tensors_of(call.op, call.args)]))
    if not any([call.is_batched(t) for t in tensors_of(call.op, call.args)]):
        return dispatcher.call(call.op, tuple(call.mapped(call.front)))
    return loop(call)


RULES = {"randperm": permutation, "multinomial": multinomial, "native_dropout": dropped,
         "rrelu_with_noise": one_by_one, "rrelu_with_noise_": one_by_one, "rrelu_with_noise_functional": one_by_one}
