"""torch._C._nn: the functions of neural networks, and how the arguments of ``to()`` are read."""

from __future__ import annotations

from .. import _VF
from ..core.missing_name import missing_name as _missing_name
from ..dispatch.function_homes import NAMES
from ..nn.modules.to_arguments import parse_to

_NAMES = NAMES["_nn"]


def _parse_to(*args, **kwargs) -> tuple:
    """Device, type, whether not to wait, and memory format."""
    return parse_to(args, kwargs)


def __getattr__(name: str):
    if name in _NAMES:
        return getattr(_VF, name)
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
