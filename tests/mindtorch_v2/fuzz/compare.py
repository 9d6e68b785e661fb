"""Two answers to one call: the same, or what kind of difference there is."""

from __future__ import annotations

import math
import re

from .hints import UNINITIALISED

# From the worst to the least; the first that applies is the kind of a difference.
KINDS = ("crash", "hang", "accepted where torch raises", "raises where torch accepts", "other value", "other dtype",
         "other shape", "other memory", "other strides", "other exception type", "other text")
SAME = "same"
# Relative and absolute distance that two right answers may have, by the result's type.
TOLERANCE = {"float16": (2e-3, 1e-3), "bfloat16": (2e-2, 1e-2), "float32": (2e-5, 1e-6), "complex64": (5e-5, 1e-5),
             "float64": (1e-9, 1e-11), "complex128": (1e-9, 1e-11), "float": (1e-6, 1e-7), "complex": (1e-6, 1e-6)}


def kind_of(call: dict, ours: dict, theirs: dict) -> str:
    """The same for a call, some of whose results nobody promises."""
    kind = compare(ours, theirs)
    if kind == "other value" and any(step["name"] in UNINITIALISED for step in call.get("steps", [call])):
        return SAME
    return kind


def compare(ours: dict, theirs: dict) -> str:
    """The kind of difference between our answer and torch's."""
    if "unbuilt" in ours or "unbuilt" in theirs:
        return SAME if "unbuilt" in theirs else "raises where torch accepts"
    if "crash" in theirs or "hang" in theirs:
        return "crash" if "crash" in ours else "hang" if "hang" in ours else SAME  # nothing to compare with
    for word in ("crash", "hang"):
        if word in ours:
            return word
    if "error" in ours and "error" in theirs:
        if ours["error"] != theirs["error"]:
            return "other exception type"
        return SAME if _plain(ours["text"]) == _plain(theirs["text"]) else "other text"
    if "error" in theirs:
        return "accepted where torch raises"
    if "error" in ours:
        return "raises where torch accepts"
    if isinstance(ours["value"], dict) != isinstance(theirs["value"], dict):  # a graph, which failed on one side
        return "raises where torch accepts" if isinstance(ours["value"], dict) else "accepted where torch raises"
    return _compare_values(ours["value"], theirs["value"])


def _plain(text: str) -> str:
    """A message without addresses and without the name of the library."""
    return re.sub(r"0x[0-9a-f]+", "0x", text).replace("mindtorch_v2", "torch").strip()


def _compare_values(ours, theirs) -> str:
    if isinstance(theirs, list) and isinstance(ours, list):
        if len(ours) != len(theirs):
            return "other shape"
        kinds = {_compare_values(a, b) for a, b in zip(ours, theirs)} - {SAME}
        return min(kinds, key=KINDS.index) if kinds else SAME
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return _compare_described(ours, theirs)
    return SAME if ours == theirs and type(ours) is type(theirs) else "other value"


def _compare_described(ours: dict, theirs: dict) -> str:
    if "error" in theirs or "error" in ours:  # a graph
        if "error" in theirs and "error" in ours:
            return SAME if ours["error"] == theirs["error"] else "other exception type"
        return "accepted where torch raises" if "error" in theirs else "raises where torch accepts"
    if "data" not in theirs or "data" not in ours:
        return SAME if ours == theirs else "other value"
    if ours.get("shape") != theirs.get("shape"):
        return "other shape"
    if ours.get("dtype") != theirs.get("dtype"):
        return "other dtype"
    if not _close(ours["data"], theirs["data"], TOLERANCE.get(theirs.get("dtype") or theirs.get("number"))):
        return "other value"
    if ours.get("shares") != theirs.get("shares"):
        return "other memory"
    return SAME if _steps(ours) == _steps(theirs) else "other strides"


def _close(ours: list, theirs: list, tolerance) -> bool:
    if ours == theirs:
        return True
    if tolerance is None or len(ours) != len(theirs):
        return False
    return all(map(lambda a, b: _near(a, b, tolerance), ours, theirs))


def _near(a, b, tolerance) -> bool:
    if isinstance(a, list):
        if any(map(_infinite_or_nan, (*a, *b))):  # which part is NaN and which infinite is nobody's promise
            return any(map(_infinite_or_nan, a)) and any(map(_infinite_or_nan, b))
        scale = max(abs(complex(*a)), abs(complex(*b)))
        return abs(complex(*a) - complex(*b)) <= tolerance[1] + tolerance[0] * scale
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= tolerance[1] + tolerance[0] * max(abs(a), abs(b))


def _infinite_or_nan(value: float) -> bool:
    return math.isinf(value) or math.isnan(value)


def _steps(described: dict) -> list:
    """The strides that mean something: those of dimensions with more than one element, of tensors with any."""
    if 0 in described.get("shape", ()):
        return []
    return [step for size, step in zip(described.get("shape", ()), described.get("strides", ())) if size > 1]
