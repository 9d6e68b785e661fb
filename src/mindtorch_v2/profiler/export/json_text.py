"""JSON that every parser takes, whatever the names are."""

from __future__ import annotations

import json
import math
import re

NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_STRICT = json.JSONEncoder(allow_nan=False, default=str)


def dump(value) -> str:
    """Strict JSON in ASCII; what JSON has no word for (NaN, infinities, complex numbers) is written as text."""
    try:
        return _STRICT.encode(value)
    except ValueError:
        return _STRICT.encode(_speakable(value))


def _speakable(value):
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {_key(k): _speakable(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_speakable(v) for v in value]
    return value


def _key(key):
    return str(key) if isinstance(key, float) else key


def from_user(raw: str) -> str:
    """Raw JSON from the user in ASCII, as everything here; what no parser would take becomes a JSON string."""
    try:
        json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return dump(raw)
    return NOT_ASCII.sub(lambda match: dump(match.group())[1:-1], raw)


def _refuse(word: str):
    raise ValueError(f"{word} is not JSON")
