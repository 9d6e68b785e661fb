"""The frequencies that the results of transforms belong to, and zero in the middle of them."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op

_OPTIONS = "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def _empty(name: str, count: int, dtype, layout, device, pin_memory):
    if dtype is not None and dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"{name} requires a floating point or complex dtype")
    return aten.empty((count,), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)


def _inverse(product: float) -> float:
    return 1.0 / product if product else float("inf")


def _fftfreq(n: int, d: float, out):
    aten.arange(n, out=out)
    aten.arange(-(n // 2), 0, 1, out=aten.slice(out, 0, (n + 1) // 2, n))
    return aten.mul_(out, _inverse(n * d))


def _rfftfreq(n: int, d: float, out):
    aten.arange(0, n // 2 + 1, 1, out=out)
    return aten.mul_(out, _inverse(n * d))


class Fftfreq(Op):
    """The frequencies of fft's results, in cycles per unit of the spacing d."""

    schema = f"fft_fftfreq(int n, float d=1., {_OPTIONS}) -> Tensor"

    def body(n, d, dtype, layout, device, pin_memory):
        return _fftfreq(n, d, _empty("fftfreq", n, dtype, layout, device, pin_memory))


class FftfreqOut(Op):
    """The frequencies of fft's results, into a given tensor."""

    schema = "fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"
    overlap = "expanded_out"
    body = _fftfreq


class Rfftfreq(Op):
    """The frequencies of rfft's results."""

    schema = f"fft_rfftfreq(int n, float d=1., {_OPTIONS}) -> Tensor"

    def body(n, d, dtype, layout, device, pin_memory):
        return _rfftfreq(n, d, _empty("rfftfreq", n // 2 + 1, dtype, layout, device, pin_memory))


class RfftfreqOut(Op):
    """The frequencies of rfft's results, into a given tensor."""

    schema = "fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)"
    below = "makes a tensor anew"
    overlap = "expanded_out"
    body = _rfftfreq


def _dims(self, dim):
    return list(range(ndim_of(self))) if dim is None else [wrap_dim(d, ndim_of(self)) for d in dim]


class Fftshift(Op):
    """The elements rolled so that the frequency zero is in the middle."""

    schema = "fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor"

    def body(self, dim):
        dims = _dims(self, dim)
        return aten.roll(self, [shape_of(self)[d] // 2 for d in dims], dims)


class Ifftshift(Op):
    """The inverse of fftshift."""

    schema = "fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor"

    def body(self, dim):
        dims = _dims(self, dim)
        return aten.roll(self, [(shape_of(self)[d] + 1) // 2 for d in dims], dims)
