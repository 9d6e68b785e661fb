"""Samples of ops/fft/frequencies.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "fft_fftfreq": [S("torch.fft.fftfreq(5)"), S("torch.fft.fftfreq(6, 0.5, dtype=torch.float64)"),
                    S("torch.fft.fftfreq(0)"),
                    S("torch.fft.fftfreq(5, dtype=torch.int32)"), S("torch.fft.fftfreq(3, requires_grad=True)"),
                    S("torch.fft.fftfreq(5, 0.0)"), S("torch.fft.fftfreq(-1)")],
    "fft_fftfreq.out": [S("torch.fft.fftfreq(5, out=torch.empty(0))"),
                        S("torch.fft.fftfreq(5, 2.0, out=torch.empty(5))")],
    "fft_rfftfreq": [S("torch.fft.rfftfreq(5)"), S("torch.fft.rfftfreq(6, 0.5, dtype=torch.float64)"),
                     S("torch.fft.rfftfreq(5, dtype=torch.int32)"), S("torch.fft.rfftfreq(0)")],
    "fft_rfftfreq.out": [S("torch.fft.rfftfreq(5, out=torch.empty(0))")],
    "fft_fftshift": [S("torch.fft.fftshift(x)", x="f(4, 5)"), S("torch.fft.fftshift(x, dim=1)", x="f(4, 5)"),
                     S("torch.fft.fftshift(x, dim=(0, -1))", x="c(3, 4, 5)"),
                     S("torch.fft.fftshift(x, dim=3)", x="f(4)")],
    "fft_ifftshift": [S("torch.fft.ifftshift(x)", x="f(4, 5)"), S("torch.fft.ifftshift(x, dim=1)", x="f(4, 5)"),
                      S("torch.fft.ifftshift(x)", x="i(5)")],
}
