"""JSON that every parser takes, whatever the names are."""

from __future__ import annotations

import json
import math
import re

ALONE = re.compile(r"[\ud800-\udfff]")  # halves of a pair, which UTF-8 has no bytes for
ENDS_IN_BACKSLASH = re.compile(r'(?<!\\)((?:\\\\)*)\\\\"')  # Perfetto takes the quote behind it for an escaped one
_STRICT = json.JSONEncoder(allow_nan=False, default=str, ensure_ascii=False)


def dump(value) -> str:
    """Strict JSON, letters as they are; what JSON has no word for (NaN, infinities, complex numbers) becomes text."""
    try:
        text = _STRICT.encode(value)
    except ValueError:
        text = _STRICT.encode(_speakable(value))
    return _encodable(text)


def _encodable(text: str) -> str:
    if '\\\\"' in text:
        text = ENDS_IN_BACKSLASH.sub(r'\1\\u005c"', text)
    return text if text.isascii() else ALONE.sub(lambda half: f"\\u{ord(half.group()):04x}", text)


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
    """Raw JSON from the user; what no parser would take becomes a JSON string."""
    try:
        json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return dump(raw)
    return _encodable(raw)


def _refuse(word: str):
    raise ValueError(f"{word} is not JSON")
