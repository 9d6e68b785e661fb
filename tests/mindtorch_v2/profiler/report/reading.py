"""The data of a page, read as its script reads it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import struct

import numpy as np

DATA = re.compile(r'<script type="text/plain" id="data">([^<]*)</script>')


def data_of(page: str):
    """What stands in a page, arrays in their places."""
    packed = gzip.decompress(base64.b64decode(DATA.search(page)[1]))
    length, = struct.unpack_from("<Q", packed)
    return _with_arrays(json.loads(packed[8:8 + length]), packed[8 + length:])


def _with_arrays(value, arrays: bytes):
    if isinstance(value, list):
        return [_with_arrays(item, arrays) for item in value]
    if not isinstance(value, dict):
        return value
    if {"type", "length", "offset"} <= value.keys():
        stored = np.frombuffer(arrays, f"<{value['type']}", value["length"], value["offset"]).astype(np.int64)
        return np.cumsum(stored + value["base"]) if value["delta"] else stored + value["base"]
    return {key: _with_arrays(item, arrays) for key, item in value.items()}


def starts_of(timeline: dict) -> np.ndarray:
    """When each event of a timeline began: the first of a lane is counted from 0, others from the one before."""
    starts, begins = timeline["start"].copy(), [*timeline["lanes"]["begin"].tolist(), len(timeline["start"])]
    for first, stop in zip(begins, begins[1:]):
        starts[first:stop] = np.cumsum(starts[first:stop])
    return starts
