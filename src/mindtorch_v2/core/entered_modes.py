"""The modes that are asked before functions and ops run, by thread."""

from __future__ import annotations

import threading


class Stacks(threading.local):
    """The modes that a thread has entered, the innermost last."""

    def __init__(self):
        self.functions = []
        self.dispatch = []
        self.skips_next = False  # the next function that asks runs as if it had not


stacks = Stacks()


def skipped() -> bool:
    """Whether this question is the one that redispatch_function() spares its function."""
    if not stacks.skips_next:
        return False
    stacks.skips_next = False
    return True
