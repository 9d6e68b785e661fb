"""All findings over one profile, those that concern most time first; the same profile gives the same list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..digest import Digest
from . import attention, evaluation, loop, training
from .finding import Finding

DETECTORS: tuple[Callable[[Digest], Iterator[Finding]], ...] = (
    loop.data_on_the_critical_path, loop.tiny_ops_in_loops, loop.values_read, loop.python_between_ops,
    loop.small_batches, training.optimizer_in_a_loop, training.gradients_filled_with_zeros,
    training.gradients_never_cleared, training.copies_of_non_contiguous, training.doubles_among_floats,
    training.bias_before_batch_norm, training.memory_that_grows, training.peak_of_memory,
    attention.attention_written_out, evaluation.graphs_never_used, evaluation.training_mode_in_evaluation)
MOST_OF_A_KIND = 3


def findings(digest: Digest) -> list[Finding]:
    """Everything that was found; of one kind only the most costly."""
    all_found: list[Finding] = []
    for detector in DETECTORS:
        if len(digest.table):
            of_kind = sorted(detector(digest), key=lambda finding: (-finding.time_ns, finding.title))
            all_found += of_kind[:MOST_OF_A_KIND]
    return sorted(all_found, key=lambda finding: -finding.time_ns)
