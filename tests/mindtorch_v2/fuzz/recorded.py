"""The random calls that are replayed in every run of the tests, and the differences that were looked at and signed."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "fuzz.json.gz"

# Kinds of difference that do not fail the test: words of messages are compared in test_mistakes.py.
NOT_COMPARED = ("other text",)
# By kind and op: why an answer may differ from PyTorch's.
SIGNED: dict[tuple[str, str], str] = {
    ("other value", "unique_consecutive"): "by position, PyTorch takes return_inverse for return_counts; by name not",
    ("other shape", "unique_consecutive"): "by position, PyTorch takes return_inverse for return_counts; by name not",
    ("other value", "kthvalue"): "of equal elements, PyTorch names whichever its quickselect comes to",
    ("other value", "topk"): "of equal elements, PyTorch names whichever its partial sort comes to",
    ("other dtype", "truediv"): "complex32 is not here",
    ("raises where torch accepts", "view_as_complex"): "complex32 is not here",
    ("raises where torch accepts", "instance_norm"): "statistics in integers, which PyTorch reads by accident",
    ("other exception type", "batch_norm"): "several mistakes at once, of which PyTorch finds another one first",
    ("other exception type", "_batch_norm_impl_index"): "several mistakes at once; PyTorch counts arguments first",
    ("other exception type", "baddbmm_"): "the deprecated form (beta, batch1, batch2) is not here",
    ("accepted where torch raises", "normalize"): "True as a dimension: Python's 1",
    ("other exception type", "normalize"): "a dimension beyond int64 is refused in Python's words",
    ("other exception type", "randint_like"): "several mistakes at once, of which PyTorch finds another one first",
    ("other exception type", "unbind"): "several mistakes at once, of which PyTorch finds another one first",
    ("other exception type", "setitem"): "several mistakes at once, of which PyTorch finds another one first",
    ("other exception type", "_foreach_trunc_"): "several mistakes at once, of which PyTorch finds another one first",
    ("other exception type", "_log_softmax_backward_data"): "several mistakes at once; PyTorch looks at sizes last",
    ("other exception type", "unsafe_split"): "PyTorch fails an assertion of its own; a TypeError says what is wrong",
}
