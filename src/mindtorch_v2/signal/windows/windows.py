"""Windows as SciPy has them: symmetric, or periodic with ``sym=False``."""

from __future__ import annotations

import math
from collections.abc import Iterable

import mindtorch_v2 as torch
from mindtorch_v2 import Tensor

BLACKMAN = (0.42, 0.5, 0.08)
NUTTALL = (0.3635819, 0.4891775, 0.1365995, 0.0106411)


def _options(name: str, M: int, dtype, layout, device, requires_grad: bool) -> dict:
    """What a window's tensor is made with, after a look at what was asked for."""
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not torch.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}


def _shortest(M: int, options: dict) -> Tensor:
    """A window of no number, or of one."""
    return torch.ones((1,), **options) if M else torch.empty((0,), **options)


def _periods(M: int, sym: bool) -> int:
    """The steps from a window's first number to where it begins again."""
    return M - 1 if sym or M <= 1 else M


def _steps(M: int, start: float, step: float, options: dict) -> Tensor:
    """M numbers from start on."""
    return torch.linspace(start=start * step, end=(start + (M - 1)) * step, steps=M, **options)


def exponential(M: int, *, center: float | None = None, tau: float = 1.0,
                sym: bool = True, dtype: torch.dtype | None = None,
                layout: torch.layout = torch.strided, device: torch.device | None = None,
                requires_grad: bool = False) -> Tensor:
    """Falling from the center on, by a factor of e every tau."""
    options = _options("exponential", M, dtype, layout, device, requires_grad)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return _shortest(M, options)
    center = _periods(M, sym) / 2 if center is None else center
    return torch.exp(-torch.abs(_steps(M, -center, 1 / tau, options)))


def cosine(M: int, *, sym: bool = True, dtype: torch.dtype | None = None,
           layout: torch.layout = torch.strided, device: torch.device | None = None,
           requires_grad: bool = False) -> Tensor:
    """Half a wave of a sine."""
    options = _options("cosine", M, dtype, layout, device, requires_grad)
    if M == 0:
        return _shortest(M, options)
    return torch.sin(_steps(M, 0.5, math.pi / (_periods(M, sym) + 1), options))


def gaussian(M: int, *, std: float = 1.0, sym: bool = True, dtype: torch.dtype | None = None,
             layout: torch.layout = torch.strided, device: torch.device | None = None,
             requires_grad: bool = False) -> Tensor:
    """The bell of the normal distribution."""
    options = _options("gaussian", M, dtype, layout, device, requires_grad)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return _shortest(M, options)
    return torch.exp(-(_steps(M, -_periods(M, sym) / 2, 1 / (std * math.sqrt(2)), options) ** 2))


def kaiser(M: int, *, beta: float = 12.0, sym: bool = True, dtype: torch.dtype | None = None,
           layout: torch.layout = torch.strided, device: torch.device | None = None,
           requires_grad: bool = False) -> Tensor:
    """A Bessel function of an ellipse."""
    options = _options("kaiser", M, dtype, layout, device, requires_grad)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M <= 1:
        return _shortest(M, options)
    height = torch.tensor(beta, dtype=options["dtype"], device=device)
    start = -height
    step = 2.0 * height / _periods(M, sym)
    end = torch.minimum(height, start + (M - 1) * step)
    k = torch.linspace(start=start, end=end, steps=M, **options)
    return torch.i0(torch.sqrt(height * height - torch.pow(k, 2))) / torch.i0(height)


def hamming(M: int, *, sym: bool = True, dtype: torch.dtype | None = None,
            layout: torch.layout = torch.strided, device: torch.device | None = None,
            requires_grad: bool = False) -> Tensor:
    """One wave of a cosine, raised."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)


def hann(M: int, *, sym: bool = True, dtype: torch.dtype | None = None,
         layout: torch.layout = torch.strided, device: torch.device | None = None,
         requires_grad: bool = False) -> Tensor:
    """One wave of a cosine from zero to zero."""
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)


def blackman(M: int, *, sym: bool = True, dtype: torch.dtype | None = None,
             layout: torch.layout = torch.strided, device: torch.device | None = None,
             requires_grad: bool = False) -> Tensor:
    """Three terms of cosines."""
    _options("blackman", M, dtype, layout, device, requires_grad)
    return general_cosine(M, a=BLACKMAN, sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)


def bartlett(M: int, *, sym: bool = True, dtype: torch.dtype | None = None,
             layout: torch.layout = torch.strided, device: torch.device | None = None,
             requires_grad: bool = False) -> Tensor:
    """A triangle."""
    options = _options("bartlett", M, dtype, layout, device, requires_grad)
    if M <= 1:
        return _shortest(M, options)
    step = 2 / _periods(M, sym)
    return 1 - torch.abs(torch.linspace(start=-1, end=-1 + (M - 1) * step, steps=M, **options))


def general_cosine(M, *, a: Iterable, sym: bool = True, dtype: torch.dtype | None = None,
                   layout: torch.layout = torch.strided, device: torch.device | None = None,
                   requires_grad: bool = False) -> Tensor:
    """A sum of cosines, each of one more wave, with alternating signs."""
    options = _options("general_cosine", M, dtype, layout, device, requires_grad)
    if M <= 1:
        return _shortest(M, options)
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    k = _steps(M, 0, 2 * math.pi / _periods(M, sym), options)
    signed = torch.tensor([(-1) ** i * weight for i, weight in enumerate(a)], device=device, dtype=options["dtype"],
                          requires_grad=requires_grad)
    waves = torch.arange(signed.shape[0], dtype=signed.dtype, device=signed.device, requires_grad=requires_grad)
    return (signed.unsqueeze(-1) * torch.cos(waves.unsqueeze(-1) * k)).sum(0)


def general_hamming(M, *, alpha: float = 0.54, sym: bool = True, dtype: torch.dtype | None = None,
                    layout: torch.layout = torch.strided, device: torch.device | None = None,
                    requires_grad: bool = False) -> Tensor:
    """One wave of a cosine around alpha."""
    return general_cosine(M, a=(alpha, 1 - alpha), sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)


def nuttall(M: int, *, sym: bool = True, dtype: torch.dtype | None = None,
            layout: torch.layout = torch.strided, device: torch.device | None = None,
            requires_grad: bool = False) -> Tensor:
    """Four terms of cosines."""
    return general_cosine(M, a=NUTTALL, sym=sym, dtype=dtype, layout=layout, device=device,
                          requires_grad=requires_grad)
