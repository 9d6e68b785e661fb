"""Filters with feedback: what torchaudio computes sample by sample."""

from __future__ import annotations

from ...core.tensor import Tensor

LEAK = 0.995  # of the filter inside overdrive, which keeps low frequencies out
DRY, WET = 0.5, 0.75  # shares of the signal and of what was driven


def filter_feedback(input_signal_windows: Tensor, a_coeff_flipped: Tensor, padded_output_waveform: Tensor) -> Tensor:
    """Subtract from every sample the outputs before it, weighted; the outputs' first columns are those before."""
    from scipy.signal import lfilter, lfiltic  # imported when first called, as SciPy is everywhere

    signal, coefficients = input_signal_windows.numpy(), a_coeff_flipped.numpy()[:, ::-1]
    output = padded_output_waveform.numpy()
    memory = coefficients.shape[1] - 1
    for channel, weights in enumerate(coefficients):
        # what the output holds already is weighted by the first coefficient, by which nothing is divided
        samples = signal[:, channel] - weights[0] * output[:, channel, memory:]
        denominator = [1, *weights[1:]]
        for item, row in enumerate(samples):
            before = output[item, channel, :memory][::-1]
            state = lfiltic([1], denominator, before).astype(row.dtype)
            output[item, channel, memory:] = lfilter([1], denominator, row, zi=state)[0]
    return padded_output_waveform


def overdrive(waveform: Tensor, temp: Tensor, last_in: Tensor, last_out: Tensor, output_waveform: Tensor):
    """Mix the signal with what was driven, less its low frequencies; the last samples are noted."""
    from scipy.signal import lfilter

    driven = temp.numpy()
    state = (LEAK * last_out.numpy() - last_in.numpy())[:, None]
    filtered = lfilter([1, -1], [1, -LEAK], driven, zi=state)[0]
    output_waveform.numpy()[:] = waveform.numpy() * DRY + filtered * WET
    last_in.numpy()[:], last_out.numpy()[:] = driven[:, -1], filtered[:, -1]
    return last_in, last_out, output_waveform
