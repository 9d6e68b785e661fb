"""torch.unique and torch.unique_consecutive, which return what was asked for of what their ops return."""

from __future__ import annotations

from ..core.tensor import Tensor, add_attribute
from ..dispatch.aten import aten
from .install import FUNCTIONS


def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim=None):
    """The distinct elements, or slices, of a tensor."""
    if dim is None:
        distinct = FUNCTIONS["_unique2"]  # which looks at what the user handed through
        results = distinct(input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)
    else:
        results = aten.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _asked(results, return_inverse, return_counts)


def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim=None):
    """The elements, or slices, of a tensor without immediate repetitions."""
    return _asked(aten.unique_consecutive(input, return_inverse, return_counts, dim), return_inverse, return_counts)


def _asked(results, return_inverse: bool, return_counts: bool):
    wanted = (results[0], *([results[1]] if return_inverse else []), *([results[2]] if return_counts else []))
    return wanted if len(wanted) > 1 else wanted[0]


FUNCTIONS.update(unique=unique, unique_consecutive=unique_consecutive)
add_attribute("unique", lambda self, *args, **kwargs: unique(self, *args, **kwargs))
add_attribute("unique_consecutive", lambda self, *args, **kwargs: unique_consecutive(self, *args, **kwargs))
