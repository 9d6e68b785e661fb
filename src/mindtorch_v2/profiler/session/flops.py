"""FLOPs of all rows: each distinct op and inputs is counted once."""

from __future__ import annotations

import numpy as np

from ..views import flops, tree


def flops_of(name: np.ndarray, described: np.ndarray, parent: np.ndarray, names: list, inputs: list) -> np.ndarray:
    """Per row the operations it stands for; 0 where nothing is known, or where they are another row's."""
    counts = np.zeros(len(name), np.int64)
    used = np.unique(name).tolist()
    torch_s = [n for n in used if names[n][0] in flops.TORCH]
    beyond = [n for n in used if names[n][0] in flops.BEYOND]
    rows = np.flatnonzero(np.isin(name, torch_s + beyond) & (described >= 0))
    if not len(rows):
        return counts
    calls, place = np.unique(np.stack([name[rows], described[rows]]), axis=1, return_inverse=True)
    per_call = [flops.count(names[n][0], inputs[i]) for n, i in calls.T.tolist()]
    counts[rows] = np.array(per_call, np.int64)[place.ravel()]
    if beyond:
        products = [n for n in torch_s if names[n][0] in flops.PRODUCTS]
        counts[_counted_elsewhere(counts, np.isin(name, beyond), np.isin(name, products), parent)] = 0
    return counts


def _counted_elsewhere(counts: np.ndarray, beyond: np.ndarray, products: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Rows beyond torch's whose operations a product below them, or one of their kind above them, counts."""
    below = tree.sum_over_subtree(parent, np.where(products, counts, 0)) > 0
    outermost = beyond & ~below & (counts > 0)
    return beyond & (below | (tree.kept_parents(parent, outermost) >= 0))
