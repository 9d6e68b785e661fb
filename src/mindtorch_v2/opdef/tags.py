"""torch.Tag: what is said of an op beside its schema."""

from __future__ import annotations

import enum
from collections.abc import Iterable

Tag = enum.IntEnum("Tag", """
    core cudagraph_unsafe data_dependent_output dynamic_output_shape flexible_layout generated inplace inplace_view
    maybe_aliasing_or_mutating needs_contiguous_strides needs_exact_strides needs_fixed_stride_order
    nondeterministic_bitwise nondeterministic_seeded out out_variant pointwise pt2_compliant_tag reduction
    view_copy""".split(), start=0, module=__name__)

# Of ops of the program's own, by their full names.
_TAGS: dict[str, list[Tag]] = {}


def tag(name: str, tags: Tag | Iterable[Tag]) -> None:
    """Note the tags of an op."""
    _TAGS[name] = [tags] if isinstance(tags, Tag) else list(tags)


def tags_of(name: str) -> list[Tag]:
    """The tags of an op of the program's own; those of torch's ops are not here."""
    if name not in _TAGS:
        raise AttributeError(f"the tags of {name} are not in mindtorch_v2: only ops of the program's own have some",
                             name="tags")
    return list(_TAGS[name])
