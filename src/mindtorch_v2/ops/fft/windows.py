"""Windows: numbers by which a piece of a signal is multiplied before it is transformed."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import PLACES, sparse_coo, strided
from ...core.modes import current_device
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import declare
from ...opdef.rules import Spec, c_name

_OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
LAYOUTS = {None: "Strided (default)", strided: "Strided", sparse_coo: "Sparse"}


def _described(name: str, dtype, layout, device, pin_memory) -> str:
    """The options of a tensor in torch's words; one window alone is told which of them were not given."""
    kind = c_name(dtype or dtypes.get_default_dtype())
    if dtype is None and name == "hann_window":
        kind += " (default)"
    place = device or PLACES[current_device()]
    return (f"TensorOptions(dtype={kind}, device={place}, layout={LAYOUTS.get(layout, layout)}, requires_grad=false "
            f"(default), pinned_memory={str(bool(pin_memory)).lower()}, memory_format=(nullopt))")


def _check(name: str, window_length: int, options: tuple) -> None:
    dtype, layout, *_ = options
    if layout is sparse_coo:
        raise RuntimeError(f"{name} is not implemented for sparse types, got: {_described(name, *options)}")
    if dtype is not None and dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"{name} expects floating point dtypes, got: {_described(name, *options)}")
    if window_length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={window_length}")


def _named(options: tuple) -> dict:
    return dict(zip(("dtype", "layout", "device", "pin_memory"), options))


def _counted(length: int, options: tuple):
    """0, 1, … as many as a window is long, in its type."""
    options = (options[0] or dtypes.get_default_dtype(), *options[1:])
    return aten.arange(0, length, 1, out=aten.empty((0,), **_named(options)))


def _bartlett(length: int, options: tuple):
    window = aten.mul_(_counted(length, options), 2 / (length - 1))
    rising = (length - 1) // 2 + 1
    aten.add_(aten.mul_(aten.narrow(window, 0, rising, length - rising), -1), 2)
    return window


def _blackman(length: int, options: tuple):
    angle = aten.mul_(_counted(length, options), math.pi / (length - 1))
    second = aten.mul_(aten.cos_(aten.mul(angle, 4)), 0.08)
    first = aten.mul_(aten.cos_(aten.mul(angle, 2)), 0.5)
    return aten.add(aten.sub(second, first), 0.42)


def _hamming(length: int, options: tuple, alpha: float = 0.54, beta: float = 0.46):
    angle = aten.mul_(_counted(length, options), 2 * math.pi / (length - 1))
    return aten.add_(aten.mul_(aten.cos_(angle), -beta), alpha)


def _hann(length: int, options: tuple):
    return _hamming(length, options, 0.5, 0.5)


def _kaiser(length: int, options: tuple, beta: float = 12.0):
    options = (options[0] or dtypes.get_default_dtype(), *options[1:])
    positions = aten.arange(length, **_named(options))
    window = aten.empty((length,), **_named(options))
    run.kaiser_window(window, positions, beta)
    return window


def _made(name: str, values, window_length: int, periodic: bool, shape_of_window: tuple, options: tuple):
    """A window of some length; a periodic one is a symmetric one that is longer by one, without its last number."""
    if window_length == 0:
        return aten.empty((0,), **_named(options))
    if window_length == 1:
        if name == "kaiser_window":
            return aten.ones((1,), **_named(options))
        return aten.fill_(aten.empty((1,), **_named(options)), 1)
    window = values(window_length + periodic, options, *shape_of_window)
    return aten.narrow(window, 0, 0, window_length) if periodic else window


# name, what it is, how its numbers come about, and its overloads: their names and the parameters after window_length
WINDOWS = [
    ("bartlett", "A triangle.", _bartlett, {"": "", "periodic": ", bool periodic"}),
    ("blackman", "Three terms of cosines.", _blackman, {"": "", "periodic": ", bool periodic"}),
    ("hann", "One wave of a cosine from zero to zero.", _hann, {"": "", "periodic": ", bool periodic"}),
    ("hamming", "One wave of a cosine, raised.", _hamming,
     {"": "", "periodic": ", bool periodic", "periodic_alpha": ", bool periodic, float alpha",
      "periodic_alpha_beta": ", bool periodic, float alpha, float beta"}),
    ("kaiser", "A Bessel function of an ellipse.", _kaiser,
     {"": "", "periodic": ", bool periodic", "beta": ", bool periodic, float beta"}),
]


def _declare(name: str, doc: str, values, overload: str, params: str) -> None:
    count = params.count(",") + 1

    def body(window_length, *rest):
        given, options = rest[:count - 1], rest[count - 1:]
        return _made(name, values, window_length, given[0] if given else True, given[1:], options)

    def into(window_length, *rest):
        *given, out = rest
        window = body(window_length, *given, out.dtype, None, None, None)
        return aten.copy_(resize_output(out, shape_of(window)), window)

    def rule(window_length, *rest):
        options = rest[count - 1:]
        _check(name, window_length, options)
        return Spec((window_length,), options[0] or dtypes.get_default_dtype())

    word = f".{overload}" if overload else ""
    declare(f"{name}{word}(int window_length{params}, {_OPTIONS}) -> Tensor", doc, body=body, meta=rule)
    declare(f"{name}.{overload + '_' if overload else ''}out(int window_length{params}, *, Tensor(a!) out) -> "
            "Tensor(a!)", doc, body=into, below="makes a tensor anew", internal="torch.ops.aten")


for _name, _doc, _values, _overloads in WINDOWS:
    for _overload, _params in _overloads.items():
        _declare(f"{_name}_window", _doc, _values, _overload, _params)
