"""torch.optim.swa_utils: models whose weights are averages over the training of another, and the schedule for that."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy

from ..api.functions import torch
from ..autograd.grad_mode import no_grad
from ..core import dtype as dtypes
from ..core.tensor import Tensor
from ..nn.modules.module import Module
from .lr_scheduler.base import LRScheduler, per_group
from .optimizer import Optimizer
from .rule import number

__all__ = ["SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn",
           "update_bn"]


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable:
    """An exponential moving average of a list of tensors, in place."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list: list, current_param_list: list, _) -> None:
        if ema_param_list[0].is_floating_point() or ema_param_list[0].is_complex():
            torch._foreach_lerp_(ema_param_list, current_param_list, 1 - decay)
        else:
            for average, current in zip(ema_param_list, current_param_list):
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Callable:
    """The mean of all that was seen, of a list of tensors, in place."""
    @no_grad()
    def swa_update(averaged_param_list: list, current_param_list: list, num_averaged: Tensor | int) -> None:
        if averaged_param_list[0].is_floating_point() or averaged_param_list[0].is_complex():
            torch._foreach_lerp_(averaged_param_list, current_param_list, number(1 / (num_averaged + 1)))
        else:
            for average, current in zip(averaged_param_list, current_param_list):
                average.add_((current - average) / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Callable:
    """An exponential moving average of one tensor."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged) -> Tensor:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Callable:
    """The mean of all that was seen, of one tensor."""
    @no_grad()
    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Tensor | int) -> Tensor:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model; ``update_parameters(model)`` takes the model's weights into the average."""

    def __init__(self, model: Module, device=None, avg_fn: Callable | None = None, multi_avg_fn: Callable | None = None,
                 use_buffers: bool = False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=dtypes.int64, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take a model's weights into the average; the first ones are taken over. Buffers are averaged or copied."""
        own, given = (itertools.chain(m.parameters(), m.buffers() if self.use_buffers else ())
                      for m in (self.module, model))
        is_first = bool(self.n_averaged == 0)
        pairs: list[tuple[Tensor, Tensor]] = []
        for average, current in zip(own, given):
            current = current.detach().to(average.device)
            pairs.append((average.detach(), current))
            if is_first:
                average.detach().copy_(current)
        if self.n_averaged > 0:
            self._take_in(pairs)
        if not self.use_buffers:
            for average, current in zip(self.module.buffers(), model.buffers()):
                average.detach().copy_(current.detach().to(average.device))
        self.n_averaged += 1

    def _take_in(self, pairs: list[tuple[Tensor, Tensor]]) -> None:
        by_type: dict = {}
        for average, current in pairs:
            averages, currents = by_type.setdefault(average.dtype, ([], []))
            averages.append(average)
            currents.append(current)
        for averages, currents in by_type.values():
            if self.multi_avg_fn is not None:
                self.multi_avg_fn(averages, currents, self.n_averaged.to(averages[0].device))
                continue
            if self.avg_fn is None:
                count = self.n_averaged.to(averages[0].device)
                for average, current in zip(averages, currents):
                    average.copy_(get_swa_avg_fn()(average, current, count))
                continue
            for average, current in zip(averages, currents):
                count = self.n_averaged.to(average.device)
                average.detach().copy_(self.avg_fn(average.detach(), current, count))


@no_grad()
def update_bn(loader: Iterable, model: Module, device=None) -> None:
    """Compute the running statistics of batch norms anew, from all of a loader's batches."""
    momenta = {}
    for module in model.modules():
        if hasattr(module, "reset_running_stats") and hasattr(module, "momentum"):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None  # the mean over all batches
    for batch in loader:
        given = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(given if device is None else given.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Leads every group to the learning rate ``swa_lr`` in some epochs, along a cosine or a line, and stays there."""

    def __init__(self, optimizer: Optimizer, swa_lr: float | list[float], anneal_epochs: int = 10,
                 anneal_strategy: str = "cos", last_epoch: int = -1):
        for rate, group in zip(per_group("swa_lr", swa_lr, optimizer), optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _cosine_anneal(t: float) -> float:
        return (1 - math.cos(math.pi * t)) / 2

    @staticmethod
    def _linear_anneal(t: float) -> float:
        return t

    def _share(self, step: int) -> float:
        """How much of ``swa_lr`` there is in the learning rate after some steps."""
        t = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return self._linear_anneal(t) if self._anneal_strategy == "linear" else self._cosine_anneal(t)

    def get_lr(self) -> list:
        """From the last learning rate follows where the group began, and from that where it is now."""
        self._warn_outside_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            lr, goal = group["lr"], group["swa_lr"]
            start = goal if before == 1 else (lr - before * goal) / (1 - before)
            rates.append(goal * now + start * (1 - now))
        return rates
