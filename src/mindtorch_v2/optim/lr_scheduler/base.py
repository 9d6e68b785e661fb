"""The base of all schedules: what is counted, what is remembered, and the order of calls."""

from __future__ import annotations

import functools
import warnings
import weakref
from typing import Any

from ...core.tensor import Tensor
from ..optimizer import Optimizer

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose.")
_OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make "
    "sure to call `optimizer.step()` before `lr_scheduler.step()`. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate")
_TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
    "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
    "PyTorch skipping the first value of the learning rate schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate")
_NOT_RESUMABLE = (
    "param 'initial_lr' is not specified in param_groups[{}] when resuming scheduler with last_epoch >= 0.\nThis "
    "typically happens when:\n1. You're trying to resume training from a checkpoint but haven't properly loaded the "
    "optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not recommended)")


class LRScheduler:
    """Sets the learning rate of every group after each step; subclasses say to what, in ``get_lr``."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        self.optimizer = as_optimizer(optimizer)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(_NOT_RESUMABLE.format(i))
        self.base_lrs = [copied(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        _track_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        """The first value, which no step of the optimiser precedes."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """All but the optimiser."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what ``state_dict()`` gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[float | Tensor]:
        """The learning rates that were set last, one per group."""
        return self._last_lr

    def get_lr(self) -> list[float | Tensor]:
        """The learning rates of this epoch, from those of the last one."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch; call it after ``optimizer.step()``."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(_OVERRIDDEN, UserWarning, stacklevel=2)
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(_TOO_EARLY, UserWarning, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                values = self._get_closed_form_lr() if hasattr(self, "_get_closed_form_lr") else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        self._set(values)

    def _set(self, values: list) -> None:
        for group, value in zip(self.optimizer.param_groups, values):
            assign(group, "lr", value)
        self._last_lr = [copied(group["lr"]) for group in self.optimizer.param_groups]

    def _rates(self) -> list[float | Tensor]:
        """The learning rates as they stand; asked for outside a step, torch suggests ``get_last_lr``."""
        self._warn_outside_step()
        return [group["lr"] for group in self.optimizer.param_groups]

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                          UserWarning, stacklevel=3)


def as_optimizer(optimizer: Optimizer) -> Optimizer:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def copied(value: float | Tensor) -> float | Tensor:
    """A value that a later ``fill_`` of the group's tensor does not change."""
    return value.clone() if isinstance(value, Tensor) else value


def assign(group: dict[str, Any], name: str, value: float | Tensor) -> None:
    """Set an option; one that is a tensor stays the same tensor."""
    if isinstance(group[name], Tensor):
        group[name].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group[name] = value


def per_group(name: str, values, optimizer: Optimizer) -> list:
    """One value for all groups, or one for each; a tensor that changes later does not change them."""
    groups = optimizer.param_groups
    if not isinstance(values, (list, tuple)):
        return [copied(values) for _ in groups]
    if len(values) != len(groups):
        raise ValueError(f"{name} must have the same length as optimizer.param_groups. "
                         f"{name} has {len(values)} values, param_groups has {len(groups)}.")
    return [copied(value) for value in values]


def _track_steps(optimizer: Optimizer) -> None:
    """Let the optimiser remember that its step was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    unbound = optimizer.step.__func__
    owner = weakref.ref(optimizer)

    @functools.wraps(unbound)
    def step(*args, **kwargs):
        optimizer = owner()
        optimizer._opt_called = True
        return unbound(optimizer, *args, **kwargs)

    step._wrapped_by_lr_sched = True
    optimizer.step = step
