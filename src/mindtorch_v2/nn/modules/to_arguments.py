"""What ``Module.to`` is told: a device, a type, or a tensor that has both."""

from __future__ import annotations

from ...core.device import as_device, device, memory_format
from ...core.dtype import DType
from ...core.tensor import Tensor
from ...dispatch.errors import types_text

_FORMS = (("device", "dtype", "non_blocking", "copy"), ("dtype", "non_blocking", "copy"),
          ("tensor", "non_blocking", "copy"))
_EXPECTED = """
 * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, *, \
torch.memory_format memory_format = None)
 * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)
 * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)
"""
_KINDS = {"device": (str, device, int, type(None)), "dtype": (DType, type(None)), "tensor": Tensor,
          "non_blocking": bool, "copy": bool, "memory_format": (memory_format, type(None))}


def parse_to(args: tuple, kwargs: dict) -> tuple:
    """Device, type, whether not to wait, and memory format."""
    most = len(_FORMS[0])
    if len(args) > most:
        raise TypeError(f"to() takes from 0 to {most} positional arguments but {len(args)} were given")
    for names in _FORMS:
        told = _told(names, args, kwargs)
        if told is not None:
            return _read(told)
    got = types_text(args, dict(sorted(kwargs.items())))
    raise TypeError(f"to() received an invalid combination of arguments - got ({got}), but expected one of:{_EXPECTED}")


def _told(names: tuple[str, ...], args: tuple, kwargs: dict) -> dict | None:
    """The arguments by name if they fit a form."""
    told = dict(zip(names, args))
    if len(args) > len(names) or told.keys() & kwargs.keys() or kwargs.keys() - {*names, "memory_format"}:
        return None
    told |= kwargs
    if names[0] != "device" and told.get(names[0]) is None:
        return None
    fits = all(isinstance(value, _KINDS[name]) for name, value in told.items())
    return told if fits and not isinstance(told.get("device"), bool) else None


def _read(told: dict) -> tuple:
    if "copy" in told:
        raise RuntimeError(".to() does not accept copy argument")
    place, dtype, example = told.get("device"), told.get("dtype"), told.get("tensor")
    if example is not None:
        place, dtype = example.device, example.dtype
    if isinstance(place, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    return (None if place is None else as_device(place), dtype, told.get("non_blocking", False),
            told.get("memory_format"))


def accelerator(kind: str, place):
    """The device that ``Module.cuda`` and its like were told; by number there is none."""
    if place is None:
        return kind
    if isinstance(place, int):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    place = place if isinstance(place, device) else device(place)
    if place.type != kind:
        raise RuntimeError(f"Invalid device, must be {'MTIA' if kind == 'mtia' else kind} device")
    return place
