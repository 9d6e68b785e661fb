"""What PyTorch wrote and said, recorded by tools/record_saved.py."""

from __future__ import annotations

import base64
import functools
import gzip
import json
import pathlib

DATA = pathlib.Path(__file__).parents[1] / "data" / "saved.json.gz"


@functools.cache
def recorded() -> dict:
    return json.loads(gzip.decompress(DATA.read_bytes()))


def file_of(name: str, kind: str = "zip") -> bytes:
    """The file that PyTorch wrote of a sample."""
    return base64.b64decode(recorded()["files"][name][kind])
