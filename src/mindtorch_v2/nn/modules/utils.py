"""torch's address for what states of wrapped models need, and for sizes given as one number or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n: int, name: str = "parse") -> Callable:
    """A function that makes a tuple of ``n`` of one value, and of several one as long as they are."""
    def parse(x) -> tuple:
        return tuple(x) if isinstance(x, Iterable) else (x,) * n

    parse.__name__ = name
    return parse


_single, _pair, _triple, _quadruple = (
    _ntuple(n + 1, name) for n, name in enumerate(("_single", "_pair", "_triple", "_quadruple")))


def _reverse_repeat_tuple(t: Sequence, n: int) -> tuple:
    """Each value ``n`` times, the last first: paddings of a convolution as F.pad wants them."""
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults: Sequence[int]):
    """Sizes, those that are None taken from the end of others."""
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [d if v is None else v for v, d in zip(out_size, defaults[-len(out_size):])]


def consume_prefix_in_state_dict_if_present(state_dict: dict, prefix: str) -> None:
    """Take a prefix, such as the ``module.`` of DataParallel, off the names in a state, in place."""
    for key in [key for key in state_dict if key.startswith(prefix)]:
        state_dict[key[len(prefix):]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is None:
        return
    for key in [key for key in metadata if key and (key == prefix.replace(".", "") or key.startswith(prefix))]:
        metadata[key[len(prefix):]] = metadata.pop(key)
