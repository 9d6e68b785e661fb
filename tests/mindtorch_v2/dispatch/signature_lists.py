"""The signatures that a TypeError of a function lists."""

from __future__ import annotations


class Nothing:
    """What no function of torch takes."""


def listed(torch, name: str) -> list[str]:
    """The parameters by position of each signature, as a function and as a method, in the order of the complaint."""
    return [line for owner in (torch, torch.ones(2, 2)) for line in _of(owner, name)]


def _of(owner, name: str) -> list[str]:
    for count in (1, 5, 6):
        try:
            getattr(owner, name)(*[Nothing() for _ in range(count)])
        except Exception as error:
            signatures = [line[3:] for line in str(error).split("\n") if line.startswith(" * ")]
            if signatures:
                return [signature.partition("*, ")[0].strip("(), ") for signature in signatures]
    return []
