"""Samples of ops/fft/one_dimension.py."""

from __future__ import annotations

from .. import S

COMPLEX_OUT = "torch.empty(0, dtype=torch.complex64)"

SAMPLES = {
    "fft_fft": [S("torch.fft.fft(x)", x="f(3, 4)"), S("torch.fft.fft(x, 6, norm='ortho')", x="f(3, 4)"),
                S("torch.fft.fft(x)", x="i(5)"), S("torch.fft.fft(x)", x="b(5)")],
    "fft_ifft": [],
    "fft_rfft": [S("torch.fft.rfft(x)", x="f(3, 4)"), S("torch.fft.rfft(x, 3)", x="f(3, 5)"),
                 S("torch.fft.rfft(x, 8, 0, 'ortho')", x="d(3, 4, 2)"), S("torch.fft.rfft(x.t())", x="f(4, 3)"),
                 S("torch.fft.rfft(x)", x="i(5)"), S("torch.fft.rfft(x, norm='forward')", x="f(7)"),
                 S("torch.fft.rfft(x)", x="c(3)"), S("torch.fft.rfft(x)", x="h(3)"),
                 S("torch.fft.rfft(x, 1)", x="f(3)")],
    "fft_rfft.out": [S(f"torch.fft.rfft(x, out={COMPLEX_OUT})", x="f(3, 4)"),
                     S("torch.fft.rfft(x, out=torch.empty(0))", x="f(3, 4)")],
    "fft_irfft": [S("torch.fft.irfft(x)", x="c(3, 4)"), S("torch.fft.irfft(x, 5)", x="c(3, 4)"),
                  S("torch.fft.irfft(x, 3, 0, norm='ortho')", x="c(3, 4)"), S("torch.fft.irfft(x)", x="f(3, 4)"),
                  S("torch.fft.irfft(x)", x="i(4)"), S("torch.fft.irfft(x, 9)", x="c(3)"),
                  S("torch.fft.irfft(x, 1)", x="c(3)"),
                  S("torch.fft.irfft(x)", x="c(1)"), S("torch.fft.irfft(x, dim=1)", x="c(2, 3, 4)")],
    "fft_irfft.out": [S("torch.fft.irfft(x.detach(), out=torch.empty(0))", x="c(3, 4)"),
                      S(f"torch.fft.irfft(x, out={COMPLEX_OUT})", x="c(3, 4)")],
    "fft_hfft": [S("torch.fft.hfft(x, 0)", x="c(3, 4)"), S("torch.fft.hfft(x, dim=2)", x="c(3)")],
    "fft_hfft.out": [S(f"torch.fft.hfft(x, out={COMPLEX_OUT})", x="c(3, 4)")],
    "fft_ihfft": [S("torch.fft.ihfft(x)", x="c(4)")],
    "fft_ihfft.out": [S(f"torch.fft.ihfft(x.detach(), out={COMPLEX_OUT})", x="f(3, 4)")],
}
for _name in ("fft", "ifft"):
    _call = f"torch.fft.{_name}"
    SAMPLES[f"fft_{_name}"] += [
        S(f"{_call}(x)", x="c(3, 4)"), S(f"{_call}(x, 6)", x="c(3, 4)"), S(f"{_call}(x, 2)", x="c(3, 4)"),
        S(f"{_call}(x, dim=0, norm='forward')", x="c(3, 4)"), S(f"{_call}(x, 6, 0)", x="c(3, 4)"),
        S(f"{_call}(x, dim=1)", x="c(2, 3, 4)"), S(f"{_call}(x.t(), norm='backward')", x="c(3, 4)"),
        S(f"{_call}(x, 0)", x="c(3)"), S(f"{_call}(x, dim=2)", x="c(3)"), S(f"{_call}(x, norm='a')", x="c(3)"),
        S(f"{_call}(x)", x="c()"), S(f"{_call}(x)", x="h(3)"), S(f"{_call}(x)", x="torch.ones(3).half()")]
    SAMPLES[f"fft_{_name}.out"] = [S(f"{_call}(x, out={COMPLEX_OUT})", x="c(3, 4)"),
                                   S(f"{_call}(x, out=torch.empty(0))", x="c(3, 4)")]
SAMPLES["fft_fft.out"] += [S(f"torch.fft.fft(x, out={COMPLEX_OUT})", x="f(3, 4)"),
                           S(f"torch.fft.fft(x, out={COMPLEX_OUT})", x="f(3, 5)")]
SAMPLES["fft_ifft.out"] += [S(f"torch.fft.ifft(x.detach(), out={COMPLEX_OUT})", x="f(3, 4)")]
