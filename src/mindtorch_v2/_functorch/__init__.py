"""torch._functorch: addresses under which programs know what stands in func/."""

from importlib import import_module

from ..core.missing_name import missing as _missing

_LOADED_ON_ACCESS = ("apis", "deprecated", "eager_transforms", "make_functional", "vmap")
_other_name = _missing(__name__)


def __getattr__(name: str):  # noqa: N807  Python's own name for it
    """Programs reach for the parts without importing them, as torch has imported them itself."""
    return import_module(f".{name}", __name__) if name in _LOADED_ON_ACCESS else _other_name(name)
