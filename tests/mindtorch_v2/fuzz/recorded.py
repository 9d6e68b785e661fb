"""The random calls that are replayed in every run of the tests, and the differences that were looked at and signed."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "fuzz.json.gz"

# Kinds of difference that do not fail the test: words of messages are compared in test_mistakes.py.
NOT_COMPARED = ("other text",)
# By kind and op: why an answer may differ from PyTorch's.
SIGNED: dict[tuple[str, str], str] = {
}
