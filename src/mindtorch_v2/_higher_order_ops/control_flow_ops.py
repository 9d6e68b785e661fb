"""torch.ops.higher_order.cond and the like: control flow as ops that modes can see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import control_flow
from .associative_scan import associative_scan
from .map import map as mapped
from .operator import HigherOrderOperator
from .scan import scan


class _ControlFlow(HigherOrderOperator):
    """An op that runs as it stands: autograd sees what its functions do."""

    def __init__(self, name: str, run: Callable[..., Any]) -> None:
        super().__init__(name)
        for key in ("Autograd", "CompositeExplicitAutograd"):
            self.py_kernels[key] = run


cond_op = _ControlFlow("cond", control_flow.cond)
while_loop_op = _ControlFlow("while_loop", lambda cond_fn, body_fn, carried_inputs, additional_inputs=(): (
    control_flow.while_loop(lambda *carried: cond_fn(*carried, *additional_inputs),
                            lambda *carried: body_fn(*carried, *additional_inputs), carried_inputs)))
associative_scan_op = _ControlFlow("associative_scan", associative_scan)
scan_op = _ControlFlow("scan", scan)
map_impl = _ControlFlow("map_impl", mapped)
