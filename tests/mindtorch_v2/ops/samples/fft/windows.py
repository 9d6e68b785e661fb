"""Samples of ops/fft/windows.py."""

from __future__ import annotations

from .. import S

OVERLOADS = {"bartlett": {}, "blackman": {}, "hann": {}, "hamming": {"periodic_alpha": "0.5",
                                                                     "periodic_alpha_beta": "0.5, 0.4"},
             "kaiser": {"beta": "8.0"}}

SAMPLES = {}
for _name, _overloads in OVERLOADS.items():
    _call = f"torch.{_name}_window"
    SAMPLES[f"{_name}_window"] = [
        S(f"{_call}(6)"), S(f"{_call}(5, dtype=torch.float64)"), S(f"{_call}(1)"), S(f"{_call}(0)"), S(f"{_call}(2)"),
        S(f"{_call}(7, dtype=torch.float16)"), S(f"{_call}(-1)"),
        S(f"{_call}(5, dtype=torch.complex64)"),
        S(f"{_call}(5, requires_grad=True)")]
    SAMPLES[f"{_name}_window.periodic"] = [S(f"{_call}(6, False)"), S(f"{_call}(6, periodic=True)"),
                                           S(f"{_call}(1, False)")]
    for _overload, _numbers in _overloads.items():
        SAMPLES[f"{_name}_window.{_overload}"] = [S(f"{_call}(6, True, {_numbers})"),
                                                  S(f"{_call}(7, False, {_numbers})")]
