"""Which rule an op follows under vmap: one of a family, its own, that of its parts, or one member after the other."""

from __future__ import annotations

from collections.abc import Callable

from ..core import modes
from ..opdef.operator import Operator
from . import (
    batch_dims,
    batch_fold,
    batch_index,
    batch_levels,
    batch_loop,
    batch_losses,
    batch_matrix,
    batch_norm,
    batch_parts,
    batch_pointwise,
    batch_random,
    batch_refused,
    batch_shape,
    dispatcher,
    forward_mode,
    kinds,
)
from .aten import aten
from .batch_call import Call, highest_level, outside
from .batch_pointwise import pointwise


class Parts:
    """The rule of an op that other ops make up: a function of its arguments."""

    def __init__(self, function: Callable):
        self.function = function


def underivable(call: Call):
    """What has no derivative, though it is composed: one member after the other, also where parts are watched."""
    return batch_loop.loop(call)


RULES = {
    **{name: underivable for name in ("linalg_matrix_rank", "data", "_has_same_storage_numel")},
    **{name: pointwise for name in batch_pointwise.NAMES},
    **batch_dims.RULES,
    **batch_shape.RULES,
    **batch_matrix.RULES,
    **batch_index.RULES,
    **batch_fold.RULES,
    **batch_norm.RULES,
    **{name: Parts(function) for table in (batch_parts, batch_losses, batch_norm)
       for name, function in table.PARTS.items()},
    **batch_refused.RULES,
}
# Ops whose own bodies call nothing but ops.
THROUGH = set("""
    index_put _unsafe_index_put _unsafe_masked_index _unsafe_masked_index_put_accumulate put masked_scatter
    _euclidean_dist linalg_pinv binary_cross_entropy_with_logits result_type native_dropout_backward
    affine_grid_generator channel_shuffle rot90 roll
""".split())
# Compositions that call kernels or ask for values: one member after the other, where nobody watches the parts.
WHOLE = set("""
    conv_tbc_backward index_select_backward gather_backward trace_backward masked_select_backward stft istft vander
    ctc_loss _weight_norm_interface_backward _fused_adam_ _fused_adamw_ _fused_sgd_ _fused_adagrad_
    _amp_foreach_non_finite_check_and_unscale_ _foreach_addcmul _foreach_addcmul_ _foreach_addcdiv _foreach_addcdiv_
    max_pool1d __lshift__ __rshift__ bitwise_left_shift_ bitwise_right_shift_ pad_sequence _pad_packed_sequence
    _pack_padded_sequence_backward value_selecting_reduction_backward cummaxmin_backward _int_mm
    _sobol_engine_scramble_
""".split())
ALWAYS = {*batch_refused.RULES.values(), batch_shape.detached, underivable}  # parts or not
batch_levels.Random.names, batch_levels.Random.answer = batch_random.NAMES, batch_random.answer
_rules: dict[Operator, object] = {}


def apply(op: Operator, args: tuple):
    """What a call on batched tensors makes, at the highest level among them."""
    rule = _rules.get(op)
    if rule is None:
        rule = _rules[op] = rule_of(op)
    call = Call(op, args, highest_level(op, args))
    if rule is written_after and call.size is not None:
        return written_after(call)
    if op.composite and (type(rule) is Parts or (rule not in ALWAYS and is_watched(op, args))):
        return composed(op, args, rule.function if type(rule) is Parts else op.work)
    if type(rule) is Parts and call.size is not None:
        return composed(op, tuple(call.mapped(call.lifted)), rule.function)
    result = outside(call.level, rule if call.size is not None else the_same, call)
    return op.result_type(*result) if op.composite and op.result_type is not None else result


def is_watched(op: Operator, args: tuple) -> bool:
    """Whether derivatives of members are followed through the parts of a composition."""
    if modes.is_below_autograd():
        return False
    return (modes.is_grad_enabled() and kinds.wants_grad(op, args)) or forward_mode.has_tangents(op, args)


def composed(op: Operator, args: tuple, work: Callable):
    """An op by way of its parts. What a function writes into, inside, it made itself: so that may become batched."""
    before = batch_levels.set_making(op.mutates < 0 or batch_levels.is_making())
    try:
        return work(*args)
    finally:
        batch_levels.set_making(before)


def rule_of(op: Operator):
    """The rule of an op; of a form in place, that of the op itself where it has none of its own."""
    if op.is_out:
        return batch_refused.out_form
    own = listed(op.name, op.overload)
    if own is not None:
        return own
    if op.pointwise:
        return pointwise
    if op.mutates >= 0 and op.name.endswith("_"):
        rule = listed(op.name[:-1], op.overload)
        if rule is not None:
            return rule if rule in IN_PLACE else written_after
    if op.name in THROUGH or (op.composite and op.name not in WHOLE):
        return Parts(op.work)
    return batch_refused.out_form if op.aliases >= 0 else batch_loop.loop


def listed(name: str, overload: str):
    """The rule that the tables have for an overload, or for all of a name; ``sum.`` is that without a name."""
    return RULES.get(f"{name}.{overload}") or RULES.get(name)


IN_PLACE = {pointwise, batch_dims.along_dims}  # rules that serve both forms


def written_after(call: Call):
    """The form in place of an op whose rule makes something new."""
    outside(call.level, batch_loop.check_written, call, call.op.name)
    functional = next(op for op in getattr(aten, call.op.name[:-1]).ops if op.overload == call.op.overload)
    return apply(aten.copy_.only_new, (call.args[call.op.mutates], apply(functional, call.args), False))


def the_same(call: Call):
    """A call at a level where all arguments are the same for all members: so are its results."""
    result = dispatcher.call(call.op, tuple(call.mapped(call.front)))
    return call.args[call.op.mutates] if call.op.mutates >= 0 else call.members(result, None)
