"""Pieces of JSON in a trace that the user adds, and what a process says of its place among others."""

from __future__ import annotations

import os
import sys

from ..export import json_text

DISTRIBUTED = "distributedInfo"  # torch's name; tools tell the traces of several processes apart by the rank in it
GROUPS = __name__.partition(".")[0] + ".distributed"
VARIABLES = {"rank": ("RANK", 0), "world_size": ("WORLD_SIZE", 1)}  # by which launchers tell processes who they are


def own_metadata() -> dict[str, str]:
    """What every trace says of the process it is of: its rank, in a group or by what its launcher said."""
    groups = sys.modules.get(GROUPS)
    if groups is not None and groups.is_initialized():
        place = {"backend": str(groups.get_backend()), "rank": groups.get_rank(), "world_size": groups.get_world_size()}
    else:
        given = {word: (os.environ.get(variable, ""), otherwise) for word, (variable, otherwise) in VARIABLES.items()}
        place = {word: int(text) if text.isdecimal() else otherwise for word, (text, otherwise) in given.items()}
    return {DISTRIBUTED: json_text.dump(place)}


def _checked_metadata(key: str, value: str) -> str:
    """A piece of JSON for the trace file, as a string where it would spoil the file; refused where torch refuses it."""
    if not isinstance(key, str) or not isinstance(value, str):
        raise TypeError("_add_metadata_json(): incompatible function arguments. The following argument types are "
                        f"supported:\n    1. (arg0: str, arg1: str) -> None\n\nInvoked with: {key!r}, {value!r}")
    return json_text.from_user(value)
