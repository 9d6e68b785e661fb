"""torch.stft as Python sees it: the signal is padded before the op runs."""

from __future__ import annotations

from ..core.tensor import Tensor, add_attribute
from ..dispatch.aten import aten
from ..ops.fft.short_time import CENTERED
from .install import FUNCTIONS

MOST_DIMS = 3  # of a signal that can be padded


def stft(input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
         window: Tensor | None = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
         onesided: bool | None = None, return_complex: bool | None = None,
         align_to_window: bool | None = None) -> Tensor:
    """The transforms of pieces of a signal, one beside the other."""
    if center:
        if align_to_window is not None:
            raise RuntimeError(CENTERED)
        ndim = input.dim()
        padding = n_fft // 2
        padded = aten.pad(aten.view(input, (*[1] * (MOST_DIMS - ndim), *input.shape)), (padding, padding), pad_mode)
        input = aten.view(padded, padded.shape[-ndim:])
    return aten.stft(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
                     align_to_window)


def _stft_method(self, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
                 window: Tensor | None = None, center: bool = True, pad_mode: str = "reflect",
                 normalized: bool = False, onesided: bool | None = None, return_complex: bool | None = None,
                 align_to_window: bool | None = None):
    return stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex,
                align_to_window)


FUNCTIONS["stft"] = stft
add_attribute("stft", _stft_method)
