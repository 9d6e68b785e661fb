"""What the overloads of ops take, as tables say it: a word per parameter (``Tensor!`` is written to, ``int?`` may be
missing)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...opdef.schema import KINDS, Param
from ...opdef.table import OPS
from ..memory.schemas import OPTIONAL, PREFIX, WRITTEN

WORDS = {kind: word for word, kind in reversed(KINDS.items())}  # of two words for a kind, the first


def word(param: Param) -> str:
    """What a parameter takes."""
    return WORDS[param.kind] + OPTIONAL * param.optional + WRITTEN * param.alias.endswith("!")


class OpSchemas(Mapping):
    """All ops there are, by the names of their events."""

    def __getitem__(self, name: str) -> tuple[tuple[str, ...], ...]:
        if not name.startswith(PREFIX) or name.removeprefix(PREFIX) not in OPS:
            raise KeyError(name)
        return tuple(tuple(map(word, op.schema.params)) for op in OPS[name.removeprefix(PREFIX)])

    def __iter__(self) -> Iterator[str]:
        return (PREFIX + name for name in OPS)

    def __len__(self) -> int:
        return len(OPS)


SCHEMAS = OpSchemas()
