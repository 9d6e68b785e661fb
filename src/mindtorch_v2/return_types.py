"""torch.return_types: the classes of results with names, as the ops declare them."""

from __future__ import annotations

from .core.missing_name import missing_name as _missing_name
from .opdef.results import NAMED as _NAMED
from .opdef.table import OPS as _OPS


def _make_all() -> dict[str, type]:
    for name in _OPS:
        _OPS[name]
    return _NAMED


def __dir__() -> list[str]:
    return ["all_return_types", *_make_all()]


def __getattr__(name: str):
    """A class is made with the op that returns it."""
    if name == "all_return_types":
        return list(_make_all().values())
    if name == "__all__":
        return __dir__()
    op = name.removesuffix("_out")
    if op in _OPS and _OPS[op] and name in _NAMED:
        return _NAMED[name]
    raise _missing_name(__name__, name)
