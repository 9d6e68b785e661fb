"""torchaudio's compiled ops, declared when its libraries are loaded, against what they are worked out to by hand."""

from __future__ import annotations

import itertools
import math

import pytest

import mindtorch_v2 as torch

for name in ("_torchaudio", "libtorchaudio"):
    torch.ops.load_library(f"/somewhere/torchaudio/lib/{name}.abi3.so")
OPS = torch.ops.torchaudio
BLANK = 0


def test_the_library_says_how_it_was_built():
    assert torch.ops._torchaudio.is_align_available() is True
    assert torch.ops._torchaudio.cuda_version() is None


def test_a_filter_feeds_its_outputs_back():
    signal, weights = torch.randn(2, 3, 6, dtype=torch.double), torch.randn(3, 3, dtype=torch.double)
    weights[:, -1] = 1
    out = torch.zeros(2, 3, 8, dtype=torch.double)
    out[:, :, :2] = torch.randn(2, 3, 2)
    expected = out.clone()
    for t in range(6):
        expected[:, :, t + 2] = signal[:, :, t] - (expected[:, :, t:t + 3] * weights).sum(-1)
    assert OPS._lfilter_core_loop(signal, weights, out) is out
    assert torch.allclose(out, expected)


def test_overdrive_remembers_its_last_samples():
    wave, driven = torch.randn(2, 5, dtype=torch.double), torch.randn(2, 5, dtype=torch.double)
    last_in, last_out = torch.randn(2, dtype=torch.double), torch.randn(2, dtype=torch.double)
    before, level, rows = last_in.clone(), last_out.clone(), []
    for t in range(5):
        level = driven[:, t] - before + 0.995 * level
        before = driven[:, t]
        rows.append(wave[:, t] * 0.5 + level * 0.75)
    out = torch.empty(2, 5, dtype=torch.double)
    OPS._overdrive_core_loop(wave, driven, last_in, last_out, out)
    for ours, expected in ((out, torch.stack(rows, 1)), (last_in, before), (last_out, level)):
        assert torch.allclose(ours, expected)


def test_the_likeliest_spelling_is_aligned():
    scores = torch.randn(1, 7, 4).log_softmax(-1)
    path, same = OPS.forced_align(scores, torch.tensor([[1, 1, 3]]), torch.tensor([7]), torch.tensor([3]), BLANK)
    spelled = [labels for labels in itertools.product((0, 1, 3), repeat=7)
               if [label for label, _ in itertools.groupby(labels) if label != BLANK] == [1, 1, 3]]
    best = max(spelled, key=lambda labels: sum(scores[0, t, label].item() for t, label in enumerate(labels)))
    assert path.tolist() == [list(best)] and same.equal(scores)


def test_labels_that_do_not_fit_cannot_be_aligned():
    with pytest.raises(RuntimeError, match="targets length is too long for CTC. .* targets length: 3, .* repeats: 1"):
        OPS.forced_align(torch.randn(1, 3, 4), torch.tensor([[1, 1, 3]]), torch.tensor([3]), torch.tensor([3]), BLANK)


def _cost(scores: torch.Tensor, labels: list[int]) -> float:
    """Of all ways to speak the labels, each before some frame ends."""
    likelihood = 0.0
    for frames in itertools.combinations_with_replacement(range(len(scores)), len(labels)):
        score, spoken = 0.0, 0
        for t in range(len(scores)):
            while spoken < len(labels) and frames[spoken] == t:
                score += scores[t, spoken, labels[spoken]].item()
                spoken += 1
            score += scores[t, spoken, BLANK].item()
        likelihood += math.exp(score)
    return -math.log(likelihood)


@pytest.mark.parametrize("of_logits", (True, False))
def test_a_transducer_costs_all_its_ways_and_gives_their_gradient(of_logits):
    logits = torch.randn(2, 4, 3, 5, dtype=torch.double)
    targets, frames, labels = torch.tensor([[1, 4], [2, 0]]), torch.tensor([4, 3]), torch.tensor([2, 1])
    scores = logits.log_softmax(-1) if of_logits else logits
    costs, gradient = OPS.rnnt_loss_forward(logits, targets, frames, labels, BLANK, -1.0, of_logits)
    assert costs.tolist() == pytest.approx([_cost(scores[0], [1, 4]), _cost(scores[1, :3], [2])])
    place, step = (1, 2, 1, BLANK), 1e-6
    logits[place] += step
    changed = OPS.rnnt_loss_forward(logits, targets, frames, labels, BLANK, -1.0, of_logits)[0]
    assert gradient[place].item() == pytest.approx(((changed - costs)[1] / step).item(), abs=1e-5)
    assert not gradient[1, 3].any() and not gradient[1, :, 2].any()
    clamped = OPS.rnnt_loss_forward(logits, targets, frames, labels, BLANK, 0.01, of_logits)[1]
    assert clamped.abs().max().item() == pytest.approx(0.01)
