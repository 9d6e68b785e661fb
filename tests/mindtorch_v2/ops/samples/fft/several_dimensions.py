"""Samples of ops/fft/several_dimensions.py."""

from __future__ import annotations

from .. import S

COMPLEX_OUT = "torch.empty(0, dtype=torch.complex64)"
INPUTS = {"fft": "c", "ifft": "c", "rfft": "f", "irfft": "c", "hfft": "c", "ihfft": "f"}

SAMPLES = {}
for _name, _kind in INPUTS.items():
    _n, _two = f"torch.fft.{_name}n", f"torch.fft.{_name}2"
    _out = "torch.empty(0)" if _name in ("irfft", "hfft") else COMPLEX_OUT
    _wrong = COMPLEX_OUT if _name in ("irfft", "hfft") else "torch.empty(0)"
    SAMPLES[f"fft_{_name}n"] = [
        S(f"{_n}(x)", x=f"{_kind}(3, 4)"), S(f"{_n}(x, (2, 6))", x=f"{_kind}(3, 4)"),
        S(f"{_n}(x, (5, -1), norm='ortho')", x=f"{_kind}(3, 4)"), S(f"{_n}(x, dim=(0, 2))", x=f"{_kind}(3, 4, 5)"),
        S(f"{_n}(x, dim=(2, 0), norm='forward')", x=f"{_kind}(3, 4, 5)"),
        S(f"{_n}(x, (4, 2), (1, 0))", x=f"{_kind}(3, 4, 2)"),
        S(f"{_n}(x.transpose(0, 2))", x=f"{_kind}(3, 4, 2)"), S(f"{_n}(x, dim=())", x=f"{_kind}(3, 4)"),
        S(f"{_n}(x, (2, 2), (0,))", x=f"{_kind}(3, 4)"), S(f"{_n}(x, (2, 2, 2))", x=f"{_kind}(3, 4)"),
        S(f"{_n}(x, dim=(0, 0))", x=f"{_kind}(3, 4)"), S(f"{_n}(x, 2)", x=f"{_kind}(3, 4)"),
        S(f"{_n}(x, dim=1)", x=f"{_kind}(3, 4)"), S(f"{_n}(x, (0, 2))", x=f"{_kind}(3, 4)"),
        S(f"{_n}(x)", x="f(3, 4)"), S(f"{_n}(x)", x="i(3, 4)"), S(f"{_n}(x)", x="h(3, 4)"), S(f"{_n}(x)", x="c(3, 4)")]
    SAMPLES[f"fft_{_name}n.out"] = [S(f"{_n}(x.detach(), out={_out})", x=f"{_kind}(3, 4)"),
                                    S(f"{_n}(x.detach(), out={_wrong})", x=f"{_kind}(3, 4)")]
    SAMPLES[f"fft_{_name}2"] = [
        S(f"{_two}(x)", x=f"{_kind}(2, 3, 4)"), S(f"{_two}(x, (2, 6), norm='ortho')", x=f"{_kind}(3, 4)"),
        S(f"{_two}(x, dim=(0, 1))", x=f"{_kind}(3, 4, 2)"), S(f"{_two}(x, norm='b')", x=f"{_kind}(3, 4)"),
        S(f"{_two}(x)", x=f"{_kind}(3)"), S(f"{_two}(x)", x="i(3, 4)")]
    SAMPLES[f"fft_{_name}2.out"] = [S(f"{_two}(x.detach(), out={_out})", x=f"{_kind}(3, 4)")]
# torch conjugates these lazily
SAMPLES["fft_hfftn"] = [SAMPLES["fft_hfftn"][i] for i in (7, 8, 9, 10, 13, 16)]
SAMPLES["fft_hfftn.out"] = SAMPLES["fft_hfftn"][:1]
SAMPLES["fft_hfft2"] = [SAMPLES["fft_hfft2"][i] for i in (3, 4)]
SAMPLES["fft_hfft2.out"] = SAMPLES["fft_hfft2"][:1]
SAMPLES["fft_ihfftn"] = SAMPLES["fft_ihfftn"][:11] + SAMPLES["fft_ihfftn"][13:]
