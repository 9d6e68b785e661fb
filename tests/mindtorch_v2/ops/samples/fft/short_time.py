"""Samples of ops/fft/short_time.py."""

from __future__ import annotations

from .. import S

W = {"w": "pos(8)"}
X = {"x": "f(2, 20)"}
C = {"c": "c(2, 5, 6)"}

SAMPLES = {
    "stft": [
        S("torch.stft(x, 8, window=w, return_complex=True)", **X, **W),
        S("torch.stft(x, 8, return_complex=True)", **X),
        S("x.stft(8, 3, window=w, return_complex=True)", x="f(20)", **W),
        S("torch.stft(x, 8, 3, 6, w, center=False, return_complex=True)", **X, w="pos(6)"),
        S("torch.stft(x, 8, win_length=5, return_complex=True)", **X),
        S("torch.stft(x, 8, window=w, normalized=True, pad_mode='constant', return_complex=True)", **X, **W),
        S("torch.stft(x, 8, window=w, onesided=False, return_complex=True)", **X, **W),
        S("torch.stft(x, 8, window=w, return_complex=False)", **X, **W),
        S("torch.stft(x, 8, window=w)", x="c(2, 20)", **W), S("torch.stft(x, 8, window=w)", x="f(2, 20)", w="c(8)"),
        S("torch.stft(x, 8, center=False, align_to_window=True, win_length=4, return_complex=True)", **X),
        S("torch.stft(x, 9, 3, 4, center=False, align_to_window=True, return_complex=True)", **X),
        S("torch.stft(x, 8, window=w, return_complex=True)", x="d(2, 20)", **W),
        S("torch.stft(x.t(), 8, window=w, center=False, return_complex=True)", x="f(20, 2)", **W),
        S("torch.stft(x, 8, window=w)", **X, **W), S("torch.stft(x, 0, window=w, return_complex=True)", **X, **W),
        S("torch.stft(x, 50, center=False, return_complex=True)", **X),
        S("torch.stft(x, 8, 0, window=w, return_complex=True)", **X, **W),
        S("torch.stft(x, 8, 2, 9, w, return_complex=True)", **X, **W),
        S("torch.stft(x, 8, window=w[:7], return_complex=True, onesided=True)", **X, **W),
        S("torch.stft(x[None], 8, window=w, return_complex=True)", **X, **W),
        S("torch.stft(x, 8, window=w, return_complex=True)", x="i(20)", **W),
        S("torch.stft(x, 8, window=w, onesided=True)", x="c(20)", **W),
        S("torch.stft(x, 8, window=w, align_to_window=True, return_complex=True)", **X, **W),
        S("torch.stft(x, 8, window=w, pad_mode='a', return_complex=True)", **X, **W)],
    "stft.center": [S("torch.ops.aten.stft.center(x, 8, window=w, return_complex=True)", **X, **W),
                    S("torch.ops.aten.stft.center(x, 8, window=w, center=False, return_complex=True)", **X, **W)],
    "istft": [
        S("torch.istft(c, 8, window=w)", **C, **W), S("torch.istft(c, 8)", **C),
        S("c.istft(8, window=w)", c="c(5, 6)", **W),
        S("torch.istft(c, 8, window=w, length=9)", **C, **W), S("torch.istft(c, 8, window=w, length=25)", **C, **W),
        S("torch.istft(c, 8, 2, 6, w)", **C, w="pos(6)"), S("torch.istft(c, 8, window=w, normalized=True)", **C, **W),
        S("torch.istft(c, 8, window=w, center=False)", **C, **W),
        S("torch.istft(c, 8, onesided=False, return_complex=True)", c="c(8, 6)"),
        S("torch.istft(c, 8, window=w)", c="c(2, 8, 6)", **W), S("torch.istft(c, 9, 3)", **C),
        S("torch.istft(x, 8)", **X), S("torch.istft(c, 8, 0, window=w)", **C, **W),
        S("torch.istft(c, 8, 2, 9, w)", **C, **W),
        S("torch.istft(c, 8, 9, window=w)", **C, **W), S("torch.istft(c, 8, window=w[1:])", **C, **W),
        S("torch.istft(c, 8, window=w, onesided=True, return_complex=True)", **C, **W),
        S("torch.istft(c, 8, window=w)", **C, w="c(8)"), S("torch.istft(c[..., :0], 8, window=w)", **C, **W),
        S("torch.istft(c, 8, window=w, onesided=False)", **C, **W), S("torch.istft(c[None], 8, window=w)", **C, **W)],
}
