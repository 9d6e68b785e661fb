"""A profile that has ended can be sent elsewhere with its results; the user's functions go along where they can."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

RECORDING = ("a profile that records cannot be pickled or copied: call stop() first; while it goes on, events() and "
             "key_averages() of what there is so far can be")


def refuse_recording(recordings) -> None:
    """What still grows is no result yet."""
    if recordings.running:
        raise TypeError(RECORDING)


def fit_for_pickle(functions: Mapping) -> dict:
    """Functions of the user by the names of their fields; those that pickle cannot take (lambdas, observers) are None.

    They belong to recording, and what is pickled are results.
    """
    return {field: function if _can_be_pickled(function) else None for field, function in functions.items()}


def _can_be_pickled(value) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # whatever an object of the user's raises when it is asked
        return False
    return True
