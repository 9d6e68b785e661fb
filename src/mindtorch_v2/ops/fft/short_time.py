"""Transforms of short pieces of a signal, and a signal put together from them."""

from __future__ import annotations

from ...core.dtype import FLOATING
from ...core.geometry import wrap_dim
from ...core.kinds import holds_many
from ...core.tensor import offset_of, shape_of, strides_of
from ...core.user_warning import warn_user
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import tensor_name
from .arguments import BY_N, BY_ROOT_N, NONE

NO_WINDOW = ("A window was not provided. A rectangular window will be applied,which is known to cause spectral "
             "leakage. Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce "
             "spectral leakage.To suppress this warning and use a rectangular window, explicitly set "
             "`window=torch.ones(n_fft, device=<device>)`.")
NO_WINDOW_BACK = ("A window was not provided. A rectangular window will be applied.Please provide the same window "
                  "used by stft to make the inversion lossless.To suppress this warning and use a rectangular window, "
                  "explicitly set `window=torch.ones(n_fft, device=<device>)`.")
PAIRS = ("stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex tensors "
         "for all inputs, and return_complex=False will raise an error.\nNote: you can still call torch.view_as_real "
         "on the complex output to recover the old return format.")
PADDED = ("The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
          "Please check your center and hop_length settings.")
CENTERED = "stft align_to_window should only be set when center = false"
ONE_SIDED = "Cannot have onesided output if window or input is complex"
SMALLEST_ENVELOPE = 1e-11  # the sum of squared windows that a signal can still be divided by


def _told(name: str, self, **arguments) -> str:
    """A call in torch's words: tensors by type and shape, truth as a number."""
    def told(value):
        if hasattr(value, "dtype"):
            return f"{tensor_name(value.dtype)}{{{list(shape_of(value))}}}"
        return int(value) if isinstance(value, bool) else value

    rest = "".join([f", {key}={told(value)}" for key, value in arguments.items()])
    return f"{name}({tensor_name(self.dtype)}{list(shape_of(self))}{rest})"


def _stft_checks(call: str, length, n_fft, hop_length, win_length, window) -> None:
    if n_fft <= 0 or n_fft > length:
        raise RuntimeError(f"{call} : expected 0 < n_fft < {length}, but got n_fft={win_length}")
    if hop_length <= 0:
        raise RuntimeError(f"{call} : expected hop_length > 0, but got hop_length={hop_length}")
    if win_length <= 0 or win_length > n_fft:
        raise RuntimeError(f"{call} : expected 0 < win_length <= n_fft, but got win_length={win_length}")
    if window is not None and shape_of(window) != (win_length,):
        raise RuntimeError(f"{call} : expected a 1D window tensor of size equal to win_length={win_length}, but got "
                           f"window with size {list(shape_of(window))}")


def _returns_complex(self, window, return_complex) -> bool:
    if return_complex is None:
        return_complex = self.dtype.is_complex or (window is not None and window.dtype.is_complex)
        if not return_complex:
            raise RuntimeError("stft requires the return_complex parameter be given for real inputs, and will further "
                               "require that return_complex=True in a future PyTorch release.")
    if not return_complex:
        warn_user(PAIRS)
    return return_complex


def _centered(self, window, n_fft: int, win_length: int):
    """The window, or ones, between zeros; None for a window of nothing but ones."""
    if win_length == n_fft:
        return window
    if window is not None and holds_many(window):
        padded = aten.new_zeros(window, (n_fft,))
    else:
        padded = aten.zeros((n_fft,), dtype=(self if window is None else window).dtype)
    middle = aten.narrow(padded, 0, (n_fft - win_length) // 2, win_length)
    if window is None:
        aten.fill_(middle, 1)
    else:
        aten.copy_(middle, window)
    return padded


def _frames(x, count: int, n_fft: int, hop_length: int):
    batch, step = strides_of(x)
    return aten.as_strided(x, (shape_of(x)[0], count, n_fft), (batch, hop_length * step, step), offset_of(x))


def _stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex,
          align_to_window):
    if window is None:
        warn_user(NO_WINDOW)
    if center and align_to_window is not None:
        raise RuntimeError(CENTERED)
    hop_length = n_fft >> 2 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    call = _told("stft", self, n_fft=n_fft, hop_length=hop_length, win_length=win_length, window=window,
                 normalized=normalized, onesided=onesided, return_complex=return_complex,
                 align_to_window=align_to_window)
    as_complex = _returns_complex(self, window, return_complex)
    if self.dtype.category < FLOATING:
        raise RuntimeError(f"{call} : expected a tensor of floating point or complex values")
    if len(shape_of(self)) not in (1, 2):
        raise RuntimeError(f"{call} : expected a 1D or 2D tensor")
    x = aten.unsqueeze(self, 0) if len(shape_of(self)) == 1 else self
    if center:
        x = _padded(x, n_fft // 2, pad_mode)
    length = shape_of(x)[1]
    _stft_checks(call, length, n_fft, hop_length, win_length, window)
    window = _centered(self, window, n_fft, win_length)
    if align_to_window:
        left = (n_fft - win_length) // 2
        x = aten.pad(x, (left, left))
    count = 1 + (length - (win_length if align_to_window else n_fft)) // hop_length
    spectrum = _transformed(_frames(x, count, n_fft, hop_length), window, normalized, onesided)
    aten.transpose_(spectrum, 1, 2)
    if len(shape_of(self)) == 1:
        aten.squeeze_(spectrum, 0)
    return spectrum if as_complex else aten.view_as_real(spectrum)


def _padded(x, amount: int, pad_mode: str):
    shape = shape_of(x)
    padded = aten.pad(aten.view(x, (1, *shape)), (amount, amount), pad_mode)
    return aten.view(padded, shape_of(padded)[-len(shape):])


def _transformed(frames, window, normalized, onesided):
    if window is not None:
        frames = aten.mul(frames, window)
    scale = BY_ROOT_N if normalized else NONE
    if not frames.dtype.is_complex:
        return aten._fft_r2c(frames, (2,), scale, True if onesided is None else onesided)
    if onesided:
        raise RuntimeError(ONE_SIDED)
    return aten._fft_c2c(frames, (2,), scale, True)


class Stft(Op):
    """The transforms of pieces of a signal, one beside the other."""

    schema = ("stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
              "bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> "
              "Tensor")
    internal = "torch.stft pads the signal first"

    def body(self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window):
        return _stft(self, n_fft, hop_length, win_length, window, False, "constant", normalized, onesided,
                     return_complex, align_to_window)


class StftCenter(Op):
    """The same of a signal that is padded, so that each piece lies around its time."""

    schema = ("stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
              "bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, "
              "bool? return_complex=None, bool? align_to_window=None) -> Tensor")
    internal = "torch.ops.aten"
    body = _stft


def _istft_checks(call: str, self, n_fft, hop_length, win_length, window, onesided: bool) -> None:
    shape = shape_of(self)
    if 0 in shape:
        raise RuntimeError(f"{call} : input tensor cannot be empty.")
    if len(shape) not in (2, 3):
        raise RuntimeError(f"{call} : expected a tensor with 3 or 4 dimensions, but got {len(shape) + 1}")
    expected, words = (n_fft // 2 + 1, "n_fft / 2 + 1 when onesided=True") if onesided else (
        n_fft, "n_fft when onesided=False")
    if shape[-2] != expected:
        raise RuntimeError(f"{call} : expected the frequency dimension (3rd to the last) of the input tensor to match "
                           f"{words}, but got {shape[-2]}")
    if not 0 < hop_length <= win_length:
        raise RuntimeError(f"{call} : expected 0 < hop_length <= win_length")
    if not 0 < win_length <= n_fft:
        raise RuntimeError(f"{call} : expected 0 < win_length <= n_fft")
    if window is not None and shape_of(window) != (win_length,):
        raise RuntimeError(f"{call} : Invalid window shape. window has to be 1D and length of `win_length`")


def _pieces(x, n_fft: int, scale: int, onesided: bool, window, return_complex: bool):
    """The pieces of the signal, from their transforms."""
    if return_complex:
        if onesided:
            raise RuntimeError(ONE_SIDED)
        return aten._fft_c2c(x, (2,), scale, False)
    if window is not None and window.dtype.is_complex:
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    if not onesided:
        x = aten.slice(x, -1, 0, n_fft // 2 + 1)
    return aten._fft_c2r(x, (2,), scale, n_fft)


class Istft(Op):
    """A signal from the transforms of its pieces, which are added where they overlap."""

    schema = ("istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, "
              "bool center=True, bool normalized=False, bool? onesided=None, int? length=None, "
              "bool return_complex=False) -> Tensor")
    variants = "method"

    def body(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex):
        if window is None:
            warn_user(NO_WINDOW_BACK)
        hop_length = n_fft >> 2 if hop_length is None else hop_length
        win_length = n_fft if win_length is None else win_length
        call = _told("istft", self, n_fft=n_fft, hop_length=hop_length, win_length=win_length, window=window,
                     center=center, normalized=normalized, onesided=onesided, length=length,
                     return_complex=return_complex)
        if not self.dtype.is_complex:
            raise RuntimeError("istft requires a complex-valued input tensor matching the output from stft with "
                               "return_complex=True.")
        pairs = aten.view_as_real(aten.resolve_conj(self))
        is_half = shape_of(pairs)[wrap_dim(-3, pairs.dim())] != n_fft if onesided is None else onesided
        _istft_checks(call, self, n_fft, hop_length, win_length, window, is_half)
        padded = _padded_window(window, pairs.dtype, n_fft, win_length)
        if self.dim() == 2:
            pairs = aten.unsqueeze(pairs, 0)
        x = aten.view_as_complex(aten.transpose(pairs, 1, 2))
        pieces = _pieces(x, n_fft, BY_ROOT_N if normalized else BY_N, is_half, window, return_complex)
        start = n_fft // 2 if center else 0
        end = start + length if length is not None else -start if center else None
        signal, whole = _overlapped(call, pieces, padded, n_fft, hop_length, start, end)
        if self.dim() == 2:
            signal = aten.squeeze(signal, 0)
        if end is not None and end > whole:
            warn_user(PADDED)
            signal = aten.constant_pad_nd(signal, (0, end - whole))
        return signal


def _overlapped(call: str, pieces, window, n_fft: int, hop_length: int, start: int, end: int | None):
    """The pieces added where they overlap, divided by what the windows add up to, cut off; and the length before."""
    pieces = aten.mul(pieces, aten.view(window, (1, 1, n_fft)))
    batch, count, _ = shape_of(pieces)
    whole = n_fft + hop_length * (count - 1)
    end = whole if end is None else end
    signal = aten.unfold_backward(pieces, (batch, whole), 1, n_fft, hop_length)
    squares = aten.expand(aten.pow(window, 2), (1, count, n_fft))
    envelope = aten.unfold_backward(squares, (1, whole), 1, n_fft, hop_length)
    signal, envelope = aten.slice(signal, 1, start, end), aten.slice(envelope, 1, start, end)
    return aten.div(signal, _divisible(call, envelope)), whole


def _padded_window(window, dtype, n_fft: int, win_length: int):
    """The window, or ones, between zeros."""
    window = aten.ones((win_length,), dtype=dtype) if window is None else window
    if win_length == n_fft:
        return window
    left = (n_fft - win_length) // 2
    return aten.constant_pad_nd(window, (left, n_fft - win_length - left))


def _divisible(call: str, envelope):
    """The sum of squared windows, where it is nowhere zero."""
    is_zero = aten.lt(aten.min(aten.abs(envelope)), SMALLEST_ENVELOPE)
    if aten.equal(is_zero, aten.new_ones(is_zero, ())):
        raise RuntimeError(f"{call} window overlap add min: 1\n[ CPUBoolType{{}} ]")
    return envelope
