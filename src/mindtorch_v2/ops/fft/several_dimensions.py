"""Transforms along several dimensions: fftn, rfftn, hfftn and their inverses, and the same along two of them."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...opdef.form import declare
from ..shared.layout import into
from .arguments import (
    complex_out,
    half_and_dims,
    normalization,
    promoted,
    real_input,
    real_out,
    shape_and_dims,
    sized,
    some_dims,
)


def _from_any(forward: bool):
    def body(self, s, dim, norm, out=None):
        sizes, dims = shape_and_dims(self, s, dim)
        x = sized(promoted(self, to_complex=True), dims, sizes)
        scale = normalization(norm, forward)
        complex_out("fftn", out)  # the name that torch has for both directions
        return aten._fft_c2c(x, dims, scale, forward, **into(out))
    return body


def _rfftn(self, s, dim, norm, out=None):
    real_input("rfftn", self, "real-valued")
    x = promoted(self)
    sizes, dims = shape_and_dims(self, s, dim)
    some_dims("rfftn", sizes)
    x = sized(x, dims, sizes)
    scale = normalization(norm, True)
    complex_out("rfftn", out)
    return aten._fft_r2c(x, dims, scale, True, **into(out))


def _irfftn(self, s, dim, norm, out=None):
    sizes, dims, last = half_and_dims("irfftn", self, s, dim)
    x = sized(promoted(self, to_complex=True), dims, sizes)
    scale = normalization(norm, False)
    real_out("irfftn", out)
    return aten._fft_c2r(x, dims, scale, last, **into(out))


def _hfftn(self, s, dim, norm, out=None):
    sizes, dims, last = half_and_dims("hfftn", self, s, dim)
    x = sized(promoted(self, to_complex=True), dims, sizes)
    scale = normalization(norm, True)
    if len(dims) > 1:
        x = aten._fft_c2c(x, dims[:-1], scale, True)
    x = aten._conj(x)
    real_out("hfftn", out)
    return aten._fft_c2r(x, dims[-1:], scale, last, **into(out))


def _ihfftn(self, s, dim, norm, out=None):
    sizes, dims = shape_and_dims(self, s, dim)
    some_dims("ihfftn", sizes)
    x = sized(promoted(self), dims, sizes)
    scale = normalization(norm, False)
    half = aten._fft_r2c(x, dims[-1:], scale, True)
    if len(dims) == 1:
        return aten._conj(half) if out is None else aten.conj_physical(half, out=out)
    half = aten.conj_physical(half)
    complex_out("ihfftn", out)
    return aten._fft_c2c(half, dims[:-1], scale, False, **into(out))


FUNCTIONS = {
    "fft": ("The Fourier transform along several dimensions.", _from_any(True)),
    "ifft": ("The inverse of fftn.", _from_any(False)),
    "rfft": ("The half of the Fourier transform of real numbers that says all.", _rfftn),
    "irfft": ("The inverse of rfftn.", _irfftn),
    "hfft": ("The real transform of one half of a signal that mirrors itself.", _hfftn),
    "ihfft": ("The inverse of hfftn.", _ihfftn),
}

for _name, (_doc, _body) in FUNCTIONS.items():
    for _word, _dim in (("n", "int[1]? dim=None"), ("2", "int[1] dim=[-2, -1]")):
        declare(f"fft_{_name}{_word}(Tensor self, SymInt[1]? s=None, {_dim}, str? norm=None) -> Tensor", _doc,
                body=_body, variants="out")
