# cython: annotation_typing=False
"""Transforms along one dimension: fft, rfft, hfft and their inverses."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import declare
from ..shared.layout import into
from .arguments import check_points, complex_out, normalization, promoted, real_input, real_out, sized, wrapped


def _points(self, n, dim):
    """The dimension, and self with so many numbers along it."""
    dim = wrapped(self, dim)
    check_points(shape_of(self)[dim] if n is None else n)
    return dim, self if n is None else sized(self, [dim], [n])


def _from_real(name: str, forward: bool, onesided: bool):
    def body(self, n, dim, norm, out=None):
        real_input(name, self)
        complex_out(name, out)
        dim, x = _points(promoted(self), n, dim)
        scale = normalization(norm, forward)
        if forward:
            return aten._fft_r2c(x, (dim,), scale, onesided, **into(out))
        transform = aten._fft_r2c(x, (dim,), scale, onesided)  # the inverse is its conjugate
        return aten._conj(transform) if out is None else aten.conj_physical(transform, out=out)
    return body


def _from_any(name: str, forward: bool):
    of_real = _from_real(name, forward, False)

    def body(self, n, dim, norm, out=None):
        if not self.dtype.is_complex:
            return of_real(self, n, dim, norm, out)
        complex_out(name, out)
        dim, x = _points(self, n, dim)
        return aten._fft_c2c(x, (dim,), normalization(norm, forward), forward, **into(out))
    return body


def _to_real(name: str, forward: bool):
    def body(self, n, dim, norm, out=None):
        real_out(name, out)
        x = promoted(self, to_complex=True)
        dim = wrapped(x, dim)
        size = 2 * (shape_of(x)[dim] - 1) if n is None else n
        check_points(size)
        if n is not None:
            x = sized(x, [dim], [size // 2 + 1])
        scale = normalization(norm, forward)
        if forward:
            x = aten._conj(x)
        return aten._fft_c2r(x, (dim,), scale, size, **into(out))
    return body


FUNCTIONS = {
    "fft": ("The Fourier transform.", _from_any("fft", True)),
    "ifft": ("The inverse of fft.", _from_any("ifft", False)),
    "rfft": ("The half of the Fourier transform of real numbers that says all.", _from_real("rfft", True, True)),
    "irfft": ("The inverse of rfft.", _to_real("irfft", False)),
    "hfft": ("The real transform of one half of a signal that mirrors itself.", _to_real("hfft", True)),
    "ihfft": ("The inverse of hfft.", _from_real("ihfft", False, True)),
}

for _name, (_doc, _body) in FUNCTIONS.items():
    declare(f"fft_{_name}(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", _doc, body=_body,
            variants="out")
