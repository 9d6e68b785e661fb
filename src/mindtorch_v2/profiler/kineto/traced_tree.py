"""torch's event tree where threads started inside the profile: it does not hear of their Python calls."""

from __future__ import annotations

import numpy as np

from ..views import tree
from ..views.python_calls import is_call
from .event_tree import EventTree

LEFT_OUT = -2  # below the roots' -1: nobody's child


class TracedTree(EventTree):
    """All nodes but those calls; what is in them belongs to the nearest node that stays."""

    def __reduce__(self):
        return TracedTree, (self.recorded,)

    def _parent_of_each(self) -> np.ndarray:
        new = [thread.index for thread in self.table.threads if thread.is_new]
        parent = super()._parent_of_each()
        is_left_out = np.zeros(len(parent), bool)
        is_left_out[:self.rows] = is_call(self.table["scope"]) & np.isin(self.table["thread"], new)
        parent = tree.kept_parents(parent, ~is_left_out)
        parent[is_left_out] = LEFT_OUT
        return parent
