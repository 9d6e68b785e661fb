"""Habits in how models, optimizers and data loaders are used."""

from __future__ import annotations

import re

from ..kineto.event_tree import _ProfilerEvent
from ..kineto.kinds import _EventType
from ..kineto.traversal import traverse_dfs
from ..views.record_scope import RecordScope
from .pattern import PACKAGE, TUNING_GUIDE, Pattern

ZERO_GRAD = re.compile(rf"^{PACKAGE}/(optim/|nn/).*: zero_grad$")
WITH_WORKERS = re.compile(rf"^{PACKAGE}/utils/data/worker_iterator\.py\(")
LOADER = re.compile(rf"^{PACKAGE}/utils/data/dataloader\.py\(\d+\): __iter__$")


class OptimizerSingleTensorPattern(Pattern):
    """An optimizer that goes parameter by parameter although it could take them as lists."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "Optimizer Single Tensor Pattern"
        self.optimizers_with_foreach = ["adam", "sgd", "adamw"]
        self.description = ("Detected optimizer running with single tensor implementation. Please enable multi tensor "
                            "implementation by passing 'foreach=True' into optimizer.")
        self.url = ""

    def match(self, event: _ProfilerEvent) -> bool:
        """A step that runs ops, and none on a list."""
        optimizer = re.match(r"Optimizer\.step#(\w+)\.step$", event.name)
        if optimizer is None or optimizer[1].lower() not in self.optimizers_with_foreach:
            return False
        ops = [e.name for e in traverse_dfs(event.children) if e.tag is _EventType.TorchOp]
        return bool(ops) and not any(name.startswith(("aten::_foreach", "aten::_fused")) for name in ops)


class SynchronizedDataLoaderPattern(Pattern):
    """Data loaded by the training process itself."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "Synchronized DataLoader Pattern"
        self.description = ("Detected DataLoader running with synchronized implementation. Please enable asynchronous "
                            "dataloading by setting num_workers > 0 when initializing DataLoader.")
        self.url = TUNING_GUIDE + "enable-async-data-loading-and-augmentation"

    def match(self, event: _ProfilerEvent) -> bool:
        if event.tag is not _EventType.PyCall or LOADER.match(event.name) is None:
            return False
        calls = [e.name for e in traverse_dfs(event.children) if e.tag is _EventType.PyCall]
        return bool(calls) and not any(WITH_WORKERS.match(name) for name in calls)


class GradNotSetToNonePattern(Pattern):
    """Gradients filled with zeros instead of dropped."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "Gradient Set To Zero Instead of None Pattern"
        self.description = ("Detected gradient set to zero instead of None. Please add 'set_to_none=True' when calling "
                            "zero_grad().")
        self.url = TUNING_GUIDE + "disable-gradient-calculation-for-validation-or-inference"

    def match(self, event: _ProfilerEvent) -> bool:
        return event.tag is _EventType.PyCall and ZERO_GRAD.match(event.name) is not None and any(
            e.name in ("aten::zero_", "aten::_foreach_zero_") for e in traverse_dfs(event.children))


class Conv2dBiasFollowedByBatchNorm2dPattern(Pattern):
    """A bias that the following normalisation takes away again."""

    def __init__(self, prof, should_benchmark: bool = False):
        super().__init__(prof, should_benchmark)
        self.name = "Enabling Bias in Conv2d Followed By BatchNorm Pattern"
        self.description = ("Detected bias enabled in Conv2d that is followed by BatchNorm2d. Please set 'bias=False' "
                            "in Conv2d.")
        self.url = TUNING_GUIDE + "disable-bias-for-convolutions-directly-followed-by-a-batch-norm"

    @property
    def skip(self) -> bool:
        return not self.prof.record_shapes

    def match(self, event: _ProfilerEvent) -> bool:
        if event.name != "aten::conv2d" or event.extra_fields.scope is not RecordScope.FUNCTION:
            return False
        if len(event.extra_fields.inputs) < 3 or event.extra_fields.inputs[2] is None:
            return False
        layer = self.go_up_until(event, lambda e: e.name.startswith("nn.Module: Conv2d"))
        following = self._next_call(layer) if layer.name.startswith("nn.Module: Conv2d") else None
        return following is not None and following.name.startswith("nn.Module: BatchNorm2d")

    def _next_call(self, event: _ProfilerEvent) -> _ProfilerEvent | None:
        """The next module that is called beside a module; memory released in between is no call."""
        after = self.siblings_of(event)[1]
        return next((e for e in after if e.tag is not _EventType.Allocation), None)
