"""What optimisers accept: the range of every option, in one table, with torch's complaint."""

from __future__ import annotations

import math
from typing import Any

from ..core.tensor import Tensor

# option: lowest, highest, and the complaint
RANGES = {
    "lr": (0.0, math.inf, "Invalid learning rate: {}"),
    "eps": (0.0, math.inf, "Invalid epsilon value: {}"),
    "rho": (0.0, 1.0, "Invalid rho value: {}"),
    "alpha": (0.0, math.inf, "Invalid alpha value: {}"),
    "momentum": (0.0, math.inf, "Invalid momentum value: {}"),
    "lr_decay": (0.0, math.inf, "Invalid lr_decay value: {}"),
    "weight_decay": (0.0, math.inf, "Invalid weight_decay value: {}"),
    "momentum_decay": (0.0, math.inf, "Invalid momentum_decay value: {}"),
    "initial_accumulator_value": (0.0, math.inf, "Invalid initial_accumulator_value value: {}"),
}


def check(options: dict[str, Any], names: str) -> None:
    """Complain about the first of the named options that lies outside its range."""
    check_tensor_lr(options["lr"])
    for name in names.split():
        if name == "betas":
            _check_betas(options["betas"])
            continue
        low, high, complaint = RANGES[name]
        if not low <= options[name] <= high:
            raise ValueError(complaint.format(options[name]))


def check_tensor_lr(lr: float | Tensor) -> None:
    """A learning rate in a tensor is one number."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def _check_betas(betas) -> None:
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def check_fused(options: dict[str, Any]) -> None:
    """A fused step knows neither autograd nor lists."""
    if not options["fused"]:
        return
    if options["differentiable"]:
        raise RuntimeError("`fused` does not support `differentiable`")
    if options["foreach"]:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
