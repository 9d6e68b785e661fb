"""Engines: where random numbers come from, and their state as bytes in torch's layout."""

from __future__ import annotations

import numpy as np

from ... import random


def new_engine() -> random.Engine:
    """An engine that was not seeded yet."""
    return random.Engine()


def set_engine_state(engine: random.Engine, state: np.ndarray) -> None:
    """Let an engine go on from a state."""
    engine.set_state(state)
