"""Which label each frame of a recording belongs to, and what a transducer's labels cost: torchaudio's losses."""

from __future__ import annotations

import numpy as np

from ...api.functions import torch
from ...core.tensor import Tensor
from ...ops.python.construct import from_numpy

STAY, NEXT, SKIP = 0, 1, 2  # how far the best path came from, among labels and the blanks between them


def forced_align(log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int):
    """The most likely label of each frame among those that spell the targets; the scores are those given."""
    if log_probs.size(0) != 1:
        raise RuntimeError("The batch dimension for log_probs must be 1 at the current version.")
    frames, labels = int(input_lengths[0]), targets[0, :int(target_lengths[0])].numpy()
    repeats = int((labels[1:] == labels[:-1]).sum())
    if frames < len(labels) + repeats:
        raise RuntimeError(f"targets length is too long for CTC. Found log_probs length: {frames}, targets length: "
                           f"{len(labels)}, and number of repeats: {repeats}")
    states = np.full(2 * len(labels) + 1, blank)
    states[1::2] = labels
    path = _best_path(log_probs.detach()[0, :frames].numpy(), states, blank)
    return torch.tensor(states[path], dtype=targets.dtype).unsqueeze(0), log_probs


def _best_path(scores: np.ndarray, states: np.ndarray, blank: int) -> np.ndarray:
    """The state of each frame on the way from the first states to the last, whose scores add up to the most."""
    may_skip = np.zeros(len(states), bool)
    may_skip[2:] = (states[2:] != blank) & (states[2:] != states[:-2])
    total = np.full(len(states), -np.inf)
    total[:2] = scores[0, states[:2]]
    came = np.zeros((len(scores), len(states)), int)
    for frame in range(1, len(scores)):
        stay = total
        following = np.concatenate([[-np.inf], total[:-1]])
        skip = np.where(may_skip, np.concatenate([[-np.inf] * 2, total])[:len(states)], -np.inf)
        came[frame] = np.where((skip > following) & (skip > stay), SKIP,
                               np.where((following > stay) & (following > skip), NEXT, STAY))
        total = np.choose(came[frame], [stay, following, skip]) + scores[frame, states]
    path = np.empty(len(scores), int)
    path[-1] = len(states) - 1 if len(states) == 1 or total[-1] > total[-2] else len(states) - 2
    for frame in range(len(scores) - 1, 0, -1):
        path[frame - 1] = path[frame] - came[frame, path[frame]]
    return path


def transducer_loss(logits: Tensor, targets: Tensor, logit_lengths: Tensor, target_lengths: Tensor, blank: int,
                    clamp: float, fused_log_softmax: bool):
    """What each recording costs, and the gradients of the logits for it."""
    log_probs = torch.log_softmax(logits, -1) if fused_log_softmax else logits
    costs, gradient = logits.new_empty(logits.size(0)), torch.zeros_like(logits)
    for item in range(len(costs)):
        frames, labels = int(logit_lengths[item]), targets[item, :int(target_lengths[item])].numpy()
        scores = log_probs.detach()[item, :frames, :len(labels) + 1].double().numpy()
        cost, back = _cost_and_gradient(scores, labels, blank, fused_log_softmax)
        costs[item] = cost
        gradient[item, :frames, :len(labels) + 1] = from_numpy(back)
    return costs, gradient.clamp(-clamp, clamp) if clamp > 0 else gradient


def _cost_and_gradient(scores: np.ndarray, labels: np.ndarray, blank: int, of_logits: bool):
    silent = scores[:, :, blank]
    spoken = np.take_along_axis(scores[:, :-1], labels[None, :, None], 2)[:, :, 0]
    ahead = _ways_here(silent, spoken)
    behind = _ways_here(*_mirrored(silent, spoken))[::-1, ::-1] + silent[-1, -1]  # it ends with silence
    total = ahead[-1, -1] + silent[-1, -1]
    after_silence = np.full_like(silent, -np.inf)
    after_silence[:-1], after_silence[-1, -1] = behind[1:], 0
    back = np.exp(ahead + behind - total)[:, :, None] * np.exp(scores) if of_logits else np.zeros_like(scores)
    back[:, :, blank] -= np.exp(ahead + silent + after_silence - total)
    places = np.arange(len(labels))
    back[:, places, labels] -= np.exp(ahead[:, :-1] + spoken + behind[:, 1:] - total)
    return -total, back


def _ways_here(silent: np.ndarray, spoken: np.ndarray) -> np.ndarray:
    """The logarithm of the sum over all ways to (frame, number of labels spoken) from the beginning."""
    said = np.concatenate([np.zeros((len(spoken), 1)), spoken.cumsum(1)], 1)  # all that came before, in one frame
    ways = np.empty_like(silent)
    ways[0] = said[0]
    for frame in range(1, len(ways)):
        arrived = ways[frame - 1] + silent[frame - 1]
        ways[frame] = said[frame] + np.logaddexp.accumulate(arrived - said[frame])
    return ways


def _mirrored(silent: np.ndarray, spoken: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same steps taken from the end: a frame is left by the silence of the one before it."""
    steps = np.full_like(silent, -np.inf)
    steps[:-1] = silent[:-1][::-1, ::-1]
    return steps, spoken[::-1, ::-1]
