"""Numbers for a page: typed arrays end to end behind one JSON text, compressed, as base64."""

from __future__ import annotations

import base64
import gzip
import json
import struct

import numpy as np

ALIGNMENT = 8  # typed arrays of a browser begin at multiples of their items' size
LEVEL = 6
NARROW = ("u1", "u2", "u4")
MOST_EXACT = 1 << 53  # whole numbers that a double holds


class Blob:
    """Arrays by number; ``add`` hands out what the JSON says instead of one."""

    def __init__(self):
        self._parts: list[bytes] = []
        self._n_bytes = 0

    def add(self, values: np.ndarray, grows: bool = False) -> dict:
        """An array in the narrowest type that holds it; one that mostly grows as its steps, the first from 0."""
        values = np.asarray(values, np.int64)
        stored, is_delta, base = values, False, 0
        if grows and len(values):
            steps = np.diff(values, prepend=0)
            base = int(min(steps.min(), 0))
            stored, is_delta = steps - base, True
        elif len(values) and values.min() < 0:
            base = int(values.min())
            stored = values - base
        most = int(stored.max(initial=0))
        kind = next((kind for kind in NARROW if most <= np.iinfo(kind).max), "f8")
        offset = self._n_bytes
        data = np.ascontiguousarray(stored, f"<{kind}").tobytes()
        data += bytes(-len(data) % ALIGNMENT)
        self._parts.append(data)
        self._n_bytes += len(data)
        return {"type": kind, "length": len(values), "offset": offset, "delta": is_delta, "base": base}

    def text(self, facts: dict) -> str:
        """The facts and all arrays, ready to stand in a page: no character of it means anything to HTML."""
        described = json.dumps(facts, separators=(",", ":"), allow_nan=False).encode("utf-8", "backslashreplace")
        described += b" " * (-(len(described) + ALIGNMENT) % ALIGNMENT)
        packed = gzip.compress(struct.pack("<Q", len(described)) + described + b"".join(self._parts), LEVEL, mtime=0)
        return base64.b64encode(packed).decode("ascii")
