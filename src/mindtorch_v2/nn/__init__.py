"""torch.nn: parameters, layers, losses, and what they are made of."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from ..core.missing_name import missing_name as _missing_name
from . import attention, common_types, functional, grad, init, modules, parallel, parameter, utils
from .modules import *  # noqa: F403  its __all__ is the list of layers
from .parallel import DataParallel
from .parameter import Buffer, Parameter


def factory_kwargs(kwargs: dict | None) -> dict:
    """Device, dtype and memory format of a layer's arguments, where they may also come in one dict of that name."""
    if kwargs is None:
        return {}
    simple = ("device", "dtype", "memory_format")
    unknown = kwargs.keys() - {*simple, "factory_kwargs"}
    if unknown:
        raise TypeError(f"unexpected kwargs {unknown}")
    options = dict(kwargs.get("factory_kwargs", {}))
    for name in simple:
        if name in kwargs:
            if name in options:
                raise TypeError(f"{name} specified twice, in **kwargs and in factory_kwargs")
            options[name] = kwargs[name]
    return options


def __getattr__(name: str):
    """Parameters of lazy modules, whose classes are made when somebody needs them."""
    if name in ("UninitializedBuffer", "UninitializedParameter"):
        return getattr(parameter, name)
    raise _missing_name(__name__, name)


_answer_for_missing(__name__)
