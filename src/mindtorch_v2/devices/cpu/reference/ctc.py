"""Likelihoods of all alignments of labels with a sequence of scores, forwards and backwards."""
from __future__ import annotations

import numpy as np

Array = np.ndarray


def _states(row: Array, length: int, blank: int) -> tuple[Array, Array]:
    """The labels with a blank around each, and which of them may follow the one two before."""
    states = np.full(2 * length + 1, blank)
    states[1::2] = row[:length]
    skips = np.zeros(states.size, bool)
    skips[3::2] = states[3::2] != states[1:-2:2]
    return states, skips


def _sum(*logs: Array) -> Array:
    """The logarithm of a sum of exponentials."""
    most = np.maximum.reduce(logs)
    most = np.where(np.isneginf(most), 0, most)
    return np.log(sum([np.exp(a - most) for a in logs])) + most


def _shifted(row: Array, by: int) -> Array:
    return np.concatenate([np.full(by, -np.inf, row.dtype), row[:-by]])[:row.size]


def _walk(into: Array, scores: Array, states: Array, skips: Array) -> None:
    """Each state is reached from itself, from the one before, or by skipping a blank."""
    into[0] = -np.inf
    into[0, :2] = scores[0, states[:2]]
    for step in range(1, len(scores)):
        before = into[step - 1]
        skipped = np.where(skips, _shifted(before, 2), -np.inf).astype(before.dtype)
        into[step] = _sum(before, _shifted(before, 1), skipped) + scores[step, states]


def ctc_forward(losses: Array, log_alpha: Array, log_probs: Array, targets: Array, input_lengths: Array,
                target_lengths: Array, blank: int) -> None:
    """Beginnings of each sample's labels; ``log_alpha`` comes filled with minus infinity."""
    for n, (steps, length) in enumerate(zip(input_lengths, target_lengths)):
        if not steps:
            losses[n] = np.inf if length else 0
            continue
        states, skips = _states(targets[n], length, blank)
        _walk(log_alpha[n, :steps, :states.size], log_probs[n, :steps], states, skips)
        last = log_alpha[n, steps - 1, :states.size]
        losses[n] = -_sum(last[-1], last[-2]) if length else -last[-1]


def ctc_backward(out: Array, log_beta: Array, grad: Array, log_probs: Array, targets: Array, losses: Array,
                 log_alpha: Array, input_lengths: Array, target_lengths: Array, blank: int,
                 zero_infinity: bool) -> None:
    """Ends of each sample's labels and the gradients; ``log_beta`` comes filled with minus infinity."""
    out.fill(0)
    for n, (steps, length) in enumerate(zip(input_lengths, target_lengths)):
        if not steps or (zero_infinity and losses[n] == np.inf):
            continue
        states, skips = _states(targets[n], length, blank)
        scores, beta = log_probs[n, :steps], log_beta[n, :steps, :states.size]
        behind = np.concatenate([skips[2:], [False] * min(2, skips.size)])[::-1]
        _walk(beta[::-1, ::-1], scores[::-1], states[::-1], behind)
        both = log_alpha[n, :steps, :states.size] + beta
        sums = np.full(scores.shape, -np.inf, scores.dtype)
        for at, label in enumerate(states):
            sums[:, label] = np.logaddexp(sums[:, label], both[:, at])
        out[n, :steps] = (np.exp(scores) - np.exp(sums + losses[n] - scores)) * grad[n]
