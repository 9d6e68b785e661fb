"""torch.__future__: how converting a module treats its parameters."""

from __future__ import annotations

from .nn.modules.conversion import Choices


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """Whether ``module.to(...)`` puts new parameters in the place of the old ones, instead of changing their data."""
    Choices.overwrite = value


def get_overwrite_module_params_on_conversion() -> bool:
    return Choices.overwrite


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Whether ``module.to(...)`` and ``load_state_dict`` swap tensors. A parameter stays the same object either way."""
    Choices.swap = value


def get_swap_module_params_on_conversion() -> bool:
    return Choices.swap
