"""Samples of ops/fft/transforms.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "_fft_c2c": [S("torch._fft_c2c(x, (1,), 0, True)", x="c(3, 4)"),
                 S("torch._fft_c2c(x, (0, 2), 1, False)", x="c(3, 4, 5)"),
                 S("torch._fft_c2c(x, (), 0, True)", x="c(3, 4)"), S("torch._fft_c2c(x, (0,), 0, True)", x="f(3)")],
    "_fft_c2c.out": [S("torch._fft_c2c(x, (1,), 2, True, out=torch.empty(0, dtype=torch.complex64))", x="c(3, 4)")],
    "_fft_r2c": [S("torch._fft_r2c(x, (1,), 0, True)", x="f(3, 4)"),
                 S("torch._fft_r2c(x, (1, 0), 2, False)", x="d(3, 5)"),
                 S("torch._fft_r2c(x, (0,), 0, True)", x="c(3)")],
    "_fft_r2c.out": [S("torch._fft_r2c(x, (1,), 0, True, out=torch.empty(0, dtype=torch.complex64))", x="f(3, 4)"),
                     S("torch._fft_r2c(x, (0, 1), 0, False, out=torch.empty(0, dtype=torch.complex64))", x="f(3, 4)"),
                     S("torch._fft_r2c(x, (2, 0), 0, False, out=torch.empty(0, dtype=torch.complex128))",
                       x="d(3, 2, 5)")],
    "_fft_c2r": [S("torch._fft_c2r(x, (1,), 2, 6)", x="c(3, 4)"), S("torch._fft_c2r(x, (0, 1), 1, 7)", x="c(3, 4)"),
                 S("torch._fft_c2r(x, (0,), 0, 2)", x="f(2)")],
    "_fft_c2r.out": [S("torch._fft_c2r(x.detach(), (1,), 2, 6, out=torch.empty(0))", x="c(3, 4)")],
}
