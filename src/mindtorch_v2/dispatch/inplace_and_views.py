"""Calls that write in place, make views, return several results, or write into ``out=``."""

from __future__ import annotations

from ..autograd import copy_slices, hooks, view_kinds, view_replay
from ..autograd import node as nodes
from ..autograd.view_kinds import INFERENCE, NO_GRAD, ONE_OF_SEVERAL, PLAIN
from ..core import forward_levels, modes
from ..core.dtype import FLOATING
from ..core.fields import set_history
from ..core.slots import Work
from ..core.tensor import Tensor, shape_of, share_storage
from ..opdef.derivative import FACT
from ..opdef.operator import Operator
from . import out_argument, python_dispatch

UNKNOWN = "torch::autograd::NotImplemented"  # the node of ops without a derivative, which only complains


def before_writing(op: Operator, args, needs):
    """Refuse what autograd can't undo, and keep a copy of ``self`` where the derivative asks for its old value."""
    into: Tensor = args[op.mutates]
    grad = modes.current().grad
    if grad and op.is_out:
        if op.differentiable and op.backward.node != UNKNOWN and any_requires(args):
            raise RuntimeError(f"{op.refused_as}(): functions with out=... arguments don't support automatic "
                               "differentiation, but one of the arguments requires grad.")
        if into._mt_inference and not modes.current().inference:
            raise view_kinds.of_inference()
        return args
    if into._mt_inference and not modes.current().inference:
        raise view_kinds.of_inference()
    if grad and into._mt_base is not None:
        if into._mt_view_kind and (needs or into._mt_base._mt_requires):
            raise view_kinds.refusal(into, view_kinds.WRITTEN)
        if (into._mt_requires or into._mt_base._mt_requires) and into._mt_base.grad_fn is None:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if grad and into._mt_requires and into.grad_fn is None:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if not needs:
        return args
    wanted = op.backward.saved_for(wanted_mask(op, args))
    if op.mutates in wanted:
        original = share_storage(into, into._mt_array) if modes.overrides == 0 else python_dispatch.kept(into)
        kept = list(args)
        kept[op.mutates] = Work.clone(original)
        if into._mt_requires:  # the copy stands for the old value, history and all
            set_history(kept[op.mutates], into.grad_fn, into.output_nr, True)
        return tuple(kept)
    if any([source % FACT == op.mutates for source in wanted if source >= FACT]):
        kept = list(args)
        kept[op.mutates] = share_storage(into, into._mt_array)  # its shape as it is now
        return tuple(kept)
    return args


def any_requires(args):
    """Whether any argument requires a gradient."""
    for value in args:
        if requires(value):
            return True
    return False


def requires(value):
    """Whether an argument, or any tensor in a list of them, requires a gradient."""
    if isinstance(value, Tensor):
        tensor: Tensor = value
        return tensor._mt_requires
    return isinstance(value, (list, tuple)) and any([isinstance(t, Tensor) and t._mt_requires for t in value])


def wanted_mask(op: Operator, args):
    """Which differentiable parameters want a gradient: bit i is the i-th of them."""
    mask = 0
    for bit, i in enumerate(op.backward.params):
        value = args[i]
        if any([t is not None and t._mt_requires for t in (value if isinstance(value, (list, tuple)) else (value,))]):
            mask |= 1 << bit
    return mask


def rebase(op: Operator, written, node):
    """A tensor written in place now comes from the op that wrote it, and so does what it is a view of."""
    if written._mt_base is None or op.inplace_view:
        if written._mt_retains:
            hooks.carry_retained(written, node)
        nodes.adopt(node, written, 0)
        return
    copy_slices.write_through(written, node)


def refresh(view):
    """A view whose base was written to meanwhile takes on the history the base has now."""
    copy_slices.refresh(view)


def mark_view(op: Operator, args, result):
    """Remember whose memory a result shows."""
    source: Tensor = args[op.aliases]
    if source._mt_kind is not None and not source._mt_kind.has_views:
        return
    root = source if source._mt_base is None else source._mt_base
    several = not isinstance(result, Tensor)
    kind = source._mt_view_kind or kind_of_view(several)
    if not several:
        mark_one(source, root, result, kind)
    else:
        for view in result:
            mark_one(source, root, view, kind)
    if nodes.traces.views is not None:
        nodes.traces.views(op, args, result)
    elif not several and (result.dtype is not root.dtype or result._mt_kind is not root._mt_kind) \
            or modes.kinds and forward_levels.depth():
        view_replay.note(op, args, result)  # geometry alone does not lead from the base to it, or to its tangent


def kind_of_view(several):
    """Whether autograd can follow a write into a view that is made now; a view of a view is of the first one's kind."""
    state = modes.current()
    if state.inference:
        return INFERENCE
    if not state.grad:
        return NO_GRAD
    return ONE_OF_SEVERAL if several else PLAIN


def mark_one(source, root, view, kind):
    """Note what a view shows; one that was made without gradients requires one all the same if its base does."""
    if view is source:
        return
    if root._mt_inference:  # nobody follows its memory, nor goes back to it
        view._mt_inference = True
        set_history(view, None, 0, False)
        return
    view._mt_base = root
    view._mt_view_version = view._mt_version.count
    view._mt_view_kind = kind
    if root._mt_requires and kind != PLAIN and gets_gradient(view):
        view._mt_requires = True


def adopt_all(op: Operator, node, args, results):
    """Several results of one node; those of integer type get no gradient."""
    known = []
    for number, result in enumerate(results):
        if result is not None and gets_gradient(result) and number not in op.no_grad_for:
            nodes.adopt(node, result, number)
            known.append(node.outputs[-1])
            node.outputs = tuple(known)  # up to the last result that gets a gradient
        else:
            known.append(None)
    if op.aliases >= 0:
        mark_view(op, args, results)


def gets_gradient(tensor):
    """Integers and booleans have no gradient."""
    return tensor.dtype.category >= FLOATING


def mark_inference(result):
    """Tensors made in inference mode stay outside autograd for good."""
    for t in (result,) if isinstance(result, Tensor) else result if isinstance(result, (list, tuple)) else ():
        if isinstance(t, Tensor) and t._mt_base is None:  # a view is what its base is
            t._mt_inference = True


def fit_out(op, args: tuple, out: Tensor) -> None:
    """Give an ``out=`` tensor the result's shape, if it can hold its type."""
    spec = op.meta(*args[:-1])
    out_argument.check_storable(spec.dtype, out)
    shape = tuple(spec.shape)
    if shape_of(out) == shape:
        return
    if op.pointwise and any([out is value for value in args[:-1]]):
        raise RuntimeError(f"output with shape {list(out.shape)} doesn't match the broadcast shape {list(shape)}")
    out_argument.resize_output(out, shape, spec.strides)
