"""Alignments of labels with scores."""
from __future__ import annotations

import numpy as np
import pytest


def test_equals_torch(replay, fact):
    replay(fact, of_largest=1e-5)


@pytest.mark.parametrize("steps, lengths", [((6, 5), (3, 2)), ((6, 0), (0, 1)), ((2, 6), (3, 3)), ((1, 1), (1, 0))])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore:(invalid|divide):RuntimeWarning")  # the reference alone, where nothing aligns
def test_compiled_alignments_equal_reference(agree, kernels, drawn, steps, lengths, kind):
    scores, targets = drawn((2, 6, 4), kind) - 2, np.array([[1, 2, 2], [3, 2, 1]])
    shape, counts = (2, 6, 2 * max(lengths) + 1), (np.array(steps), np.array(lengths))
    losses, alpha = np.zeros(2, kind), np.full(shape, -np.inf, kind)
    agree("ctc_forward", losses, alpha, scores, targets, *counts, 0, of_largest=1e-5)
    kernels.ctc_forward(losses, alpha, scores, targets, *counts, 0)
    for zero_infinity in (False, True):
        agree("ctc_backward", np.zeros_like(scores), np.full(shape, -np.inf, kind), drawn(2, kind), scores, targets,
              losses, alpha, *counts, 0, zero_infinity, of_largest=1e-5)


@pytest.mark.parametrize("target, steps, length, blank",
                         [(4, 6, 3, 0), (-1, 6, 3, 0), (1, 7, 3, 0), (1, 6, 4, 0), (1, 6, 3, 4)])
def test_what_does_not_fit_is_refused_by_compiled_alignments(target, steps, length, blank):
    ctc = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.ctc", reason="not compiled")
    with pytest.raises(ValueError, match="ctc: "):
        ctc.ctc_forward(np.zeros(1), np.zeros((1, 6, 7)), np.zeros((1, 6, 4)), np.full((1, 3), target),
                        np.array([steps]), np.array([length]), blank)
