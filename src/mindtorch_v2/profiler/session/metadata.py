"""Pieces of JSON that the user adds to a trace."""

from __future__ import annotations

from ..export import json_text


def _checked_metadata(key: str, value: str) -> str:
    """A piece of JSON for the trace file, as a string where it would spoil the file; refused where torch refuses it."""
    if not isinstance(key, str) or not isinstance(value, str):
        raise TypeError("_add_metadata_json(): incompatible function arguments. The following argument types are "
                        f"supported:\n    1. (arg0: str, arg1: str) -> None\n\nInvoked with: {key!r}, {value!r}")
    return json_text.from_user(value)
