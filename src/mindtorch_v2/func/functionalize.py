"""torch.func.functionalize: a function as one that does not write in place."""

from __future__ import annotations

import functools
from collections.abc import Callable

CHOICES = ("mutations", "mutations_and_views")


def functionalize(func: Callable, *, remove: str = "mutations") -> Callable:
    """``func`` itself: what it computes and writes is the same; torch's only differs in what a tracer sees of it."""
    if remove not in CHOICES:
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}. Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed from the program, and replaced "
            "with their out-of-place equivalents.\n"
            "     remove='mutations_and_views': In addition to the above, all aliasing operators {view} will be "
            "replaced with their non-aliasing counterparts, {view}_copy.\n")

    @functools.wraps(func)
    def called(*args, **kwargs):
        return func(*args, **kwargs)

    return called
