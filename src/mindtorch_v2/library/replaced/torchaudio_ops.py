"""torchaudio's compiled ops: filters with feedback, alignment, and the loss of transducers."""

from __future__ import annotations

from collections.abc import Callable

from ..library import Library
from .audio_alignment import forced_align, transducer_loss
from .audio_filters import filter_feedback, overdrive

OPS: dict[str, Callable] = {
    "_lfilter_core_loop(Tensor input_signal_windows, Tensor a_coeff_flipped, Tensor(a!) padded_output_waveform) -> "
    "Tensor(a!)": filter_feedback,
    "_overdrive_core_loop(Tensor waveform, Tensor temp, Tensor(a!) last_in, Tensor(b!) last_out, "
    "Tensor(c!) output_waveform) -> (Tensor(a!), Tensor(b!), Tensor(c!))": overdrive,
    "forced_align(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank) -> "
    "(Tensor, Tensor)": forced_align,
    "rnnt_loss_forward(Tensor logits, Tensor targets, Tensor logit_lengths, Tensor target_lengths, int blank, "
    "float clamp, bool fused_log_softmax) -> (Tensor, Tensor)": transducer_loss,
}
BUILD: dict[str, Callable] = {
    "is_align_available() -> bool": lambda: True,
    "cuda_version() -> int?": lambda: None,
}


def declare() -> Library:
    """Define the ops, as libtorchaudio does when it is loaded."""
    return _declared("torchaudio", OPS, "CPU")


def declare_build() -> Library:
    """Define what tells how the library was built."""
    return _declared("_torchaudio", BUILD, "CompositeExplicitAutograd")


def _declared(namespace: str, ops: dict[str, Callable], key: str) -> Library:
    library = Library(namespace, "FRAGMENT")
    for schema, kernel in ops.items():
        library.impl(library.define(schema), kernel, key)
    return library
