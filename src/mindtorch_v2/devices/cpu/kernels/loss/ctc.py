"""Alignments of labels with scores: compiled loops on labels in rows of one length."""

from __future__ import annotations

import numpy as np

from ... import ctc

Array = np.ndarray


def _rows(targets: Array, lengths: list[int], labels: int) -> Array:
    """The labels of each sample as a row, filled up with zeros; torch reads beyond its memory where one is none."""
    rows = np.zeros((len(lengths), max(lengths, default=0)), np.int64)
    begins = np.cumsum([0, *lengths])
    for row, begin, length, at in zip(rows, begins, lengths, range(len(lengths))):
        row[:length] = targets[begin:begin + length] if targets.ndim == 1 else targets[at, :length]
    bad = rows[(rows < 0) | (rows >= labels)]
    if bad.size:
        raise RuntimeError(f"ctc_loss: target {bad[0]} is none of the labels 0 to {labels - 1}")
    return rows


def _lengths(*lists: list[int]) -> list[Array]:
    return [np.array(lengths, np.int64) for lengths in lists]


def ctc_loss_forward(losses: Array, log_alpha: Array, log_probs: Array, targets: Array, input_lengths: list[int],
                     target_lengths: list[int], blank: int) -> None:
    """Likelihoods of all beginnings, sample by sample, and the negative one of the whole."""
    rows = _rows(targets, target_lengths, log_probs.shape[-1])
    log_alpha.fill(-np.inf)
    ctc.ctc_forward(losses, log_alpha, np.ascontiguousarray(log_probs), rows, *_lengths(input_lengths, target_lengths),
                    blank)


def ctc_loss_backward(out: Array, log_beta: Array, grad: Array, log_probs: Array, targets: Array, losses: Array,
                      log_alpha: Array, input_lengths: list[int], target_lengths: list[int], blank: int,
                      zero_infinity: bool) -> None:
    """Likelihoods of all ends, and with those of the beginnings the gradient of every score."""
    rows = _rows(targets, target_lengths, log_probs.shape[-1])
    grads = np.empty(out.shape, out.dtype)
    log_beta.fill(-np.inf)
    ctc.ctc_backward(grads, log_beta, np.ascontiguousarray(grad), np.ascontiguousarray(log_probs), rows,
                     np.ascontiguousarray(losses), np.ascontiguousarray(log_alpha),
                     *_lengths(input_lengths, target_lengths), blank, zero_infinity)
    out[...] = grads
