"""Users' objects as plain text: nothing of theirs that could fail or change its answer is called, nothing is kept.

``issubclass(type(value), str)`` asks the interpreter; ``isinstance`` would ask the object for its ``__class__``.
"""

from __future__ import annotations

import threading

LONGEST = 1000  # of a value's text
_NAME = type.__dict__["__name__"].__get__  # whatever a metaclass would say


def name_of_type(kind: type) -> str:
    """The name that a class was given."""
    return exact_text(_NAME(kind))


def exact_text(value: object) -> str:
    """A text of exactly the type ``str``; what is no text is shown by its type."""
    if type(value) is str:
        return value
    return str.__str__(value) if issubclass(type(value), str) else f"<{name_of_type(type(value))}>"


def shortened(value: object) -> str:
    """An exact text that takes little room: the end of a long one is left out, and it says so."""
    text = exact_text(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"


def shown(value: object) -> str:
    """An object as it shows itself, if it can."""
    try:
        return shortened(str(value))
    except Exception:
        return f"<{name_of_type(type(value))}>"


def name_of_thread(thread: threading.Thread) -> str:
    """A thread's name, if it tells."""
    try:
        return exact_text(thread.name)
    except Exception:
        return f"<{name_of_type(type(thread))}>"
