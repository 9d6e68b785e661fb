"""How exactly products of float32 are computed: always in float32 here; what programs wish for is kept and told."""

from __future__ import annotations

import warnings

_PRECISIONS = ("highest", "high", "medium")
_UNKNOWN = "{} is not one of 'highest', 'high', or 'medium'; the current setFloat32MatmulPrecision call has no effect."
_precision = "highest"


def get_float32_matmul_precision() -> str:
    """The precision that was asked for."""
    return _precision


def set_float32_matmul_precision(precision: str) -> None:
    """Ask for a precision; lower ones would be faster on devices that have them."""
    global _precision
    if precision in _PRECISIONS:
        _precision = precision
    else:
        warnings.warn(_UNKNOWN.format(precision), stacklevel=2)


class _MatmulSettings:
    """torch.backends.cuda.matmul: the same wish in older words, and wishes about half precision."""

    def __init__(self) -> None:
        self.__dict__.update(allow_fp16_reduced_precision_reduction=True, allow_fp16_accumulation=False,
                             allow_bf16_reduced_precision_reduction=True, fp32_precision="none")

    @property
    def allow_tf32(self) -> bool:
        return _precision != "highest"

    @allow_tf32.setter
    def allow_tf32(self, allowed: bool) -> None:
        set_float32_matmul_precision("high" if allowed else "highest")

    def __getattr__(self, name: str):
        raise AttributeError(f"Unknown attribute {name}")

    def __setattr__(self, name: str, value) -> None:
        if name != "allow_tf32" and name not in self.__dict__:
            raise AttributeError(f"Unknown attribute {name}")
        super().__setattr__(name, value)


matmul_settings = _MatmulSettings()
