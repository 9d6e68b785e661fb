# cython: annotation_typing=False
"""Writing into a view: the base gets the history of what was written, and other views find out when asked."""

from __future__ import annotations

from ..core import describe
from ..core.device import contiguous_format
from ..core.fields import node_of, set_history
from ..core.slots import Work
from ..core.tensor import Tensor, offset_of
from ..record import rows
from ..record.names import names
from . import hooks, view_kinds
from . import node as nodes
from .node import Node
from .op_node import OpNode, op_node, save
from .view_replay import is_of_other_kind, maker_of, replayed


class CopySlices(Node):
    """The node of a write into part of a tensor: the part goes through the op, the rest stays."""

    def __init__(self, base: Tensor, view: Tensor, through: OpNode):
        super().__init__()
        self.through = through
        self.geometry = (tuple(view._mt_array.shape), view.stride(), offset_of(view))
        self.layout = (tuple(base._mt_array.shape), base.stride())
        self.make = maker_of(view) if is_of_other_kind(view, base) else None
        nodes.connect(self, base)
        for following, at in through.next_functions[1:]:
            nodes.lead(self, following, at)
        self.sequence, self.thread = through.sequence, through.thread

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def apply(self, grads: list, edges: list):
        whole = Work.new_empty_strided(grads[0], *self.layout)
        Work.copy_(whole, grads[0])
        part = Work.as_strided(whole, *self.geometry) if self.make is None else self.make(whole)
        # The op's own self edge leads here, so it must answer for self whenever the base wants a gradient.
        inner = [edges[0], *self.through.next_nodes[1:]]
        grads_through = _apply(self.through, [Work.clone(part, memory_format=contiguous_format)], inner)
        if edges[0] is None:
            return [None, *grads_through[1:]]  # the base has no history: nobody asks for what is left of it
        if grads_through and grads_through[0] is not None:
            Work.copy_(part, grads_through[0])
        else:
            Work.zero_(part)
        return [whole, *grads_through[1:]]

    def release(self) -> None:
        self.through.release()


def _apply(node: OpNode, grads: list, edges: list):
    """A node inside another, under a row of its own."""
    wanted = rows.is_listening()
    if not wanted:
        return node.apply(grads, edges)
    row = describe.open_call(names.number(node.name()), 1, node.sequence, grads, wanted, node.thread)
    try:
        return node.apply(grads, edges)
    finally:
        rows.close_range(row)


def write_through(view: Tensor, through: OpNode) -> None:
    """Rebase what a view belongs to on the op that wrote into it, and the view on its base."""
    base = view._mt_base
    through.outputs = ((view._mt_array.shape, view.dtype),)
    step = CopySlices(base, view, through)
    if base._mt_retains:
        hooks.carry_retained(base, step)
    nodes.adopt(step, base, 0)
    regenerate(view)


def refresh(view: Tensor) -> None:
    """A view whose base was written to meanwhile takes on the history the base has now."""
    if view._mt_base._mt_requires:
        if view._mt_view_kind:
            raise view_kinds.refusal(view, view_kinds.BASE_WRITTEN)
        regenerate(view)
    else:
        view._mt_view_version = view._version


def bring_up_to_date(tensor: Tensor) -> None:
    """The same for any tensor: one that is no view, or whose base was not written, stays as it is."""
    if tensor._mt_base is not None and tensor._mt_version.count != tensor._mt_view_version:
        refresh(tensor)


def regenerate(view: Tensor) -> None:
    """Give a view the history its base has now."""
    base = view._mt_base
    anew = replayed(view) if base._mt_requires else None
    if anew is not None:
        if view._mt_retains:
            hooks.carry_retained(view, node_of(anew), anew.output_nr)
        set_history(view, node_of(anew), anew.output_nr, True)
    elif base._mt_requires:
        step = op_node(Work.as_strided_node)
        nodes.connect(step, base)
        nodes.number(step)
        size, stride, offset = tuple(view._mt_array.shape), view.stride(), offset_of(view)
        save(step, (base, size, stride, offset), Work.as_strided_node.saved_for(1))
        if view._mt_retains:
            hooks.carry_retained(view, step)
        nodes.adopt(step, view, 0)
    view._mt_view_version = view._version
