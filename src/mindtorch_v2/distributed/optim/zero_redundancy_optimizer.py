"""ZeroRedundancyOptimizer: each process keeps a part of an optimizer's state; one process keeps all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...optim.optimizer import Optimizer
from ..process_group import default_group


class ZeroRedundancyOptimizer(Optimizer):
    """Another optimizer, whose groups and state are shown as this one's own."""

    def __init__(self, params, optimizer_class: type[Optimizer], process_group=None,
                 parameters_as_bucket_view: bool = False, overlap_with_ddp: bool = False, **defaults: Any) -> None:
        self.process_group = process_group or default_group()
        if overlap_with_ddp:
            raise NotImplementedError("ZeroRedundancyOptimizer(overlap_with_ddp=True) needs hooks of a "
                                      "DistributedDataParallel with several processes, of which mindtorch_v2 has none")
        super().__init__(params, defaults)
        self.optim = optimizer_class(self.param_groups, **defaults)
        self.param_groups, self.state = self.optim.param_groups, self.optim.state

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Train more parameters."""
        if hasattr(self, "optim"):
            self.optim.add_param_group(param_group)
        else:
            super().add_param_group(param_group)

    def step(self, closure: Callable[[], float] | None = None, **kwargs: Any) -> float | None:
        """Change the parameters by their gradients."""
        return self.optim.step(closure, **kwargs)

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Bring the parts of the state together on one process: they are."""

    def state_dict(self) -> dict[str, Any]:
        """The other optimizer's."""
        return self.optim.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what state_dict() gave."""
        self.optim.load_state_dict(state_dict)
        self.param_groups, self.state = self.optim.param_groups, self.optim.state
