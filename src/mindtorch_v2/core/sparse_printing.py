"""The text of a sparse tensor: its parts, then what cannot be told from them."""

from __future__ import annotations

from . import dtype as dtypes
from .device import sparse_coo
from .printing import COMPLEX_OF_DEFAULT, contents_text, get_printoptions
from .sparse import BY_ROWS
from .tensor import Tensor, shape_of

_NAME = "tensor("
_INDENT = len(_NAME)


def sparse_text(self: Tensor) -> str:
    """What repr() of a sparse tensor prints."""
    kind = self._mt_kind
    is_coo = kind.layout is sparse_coo
    if is_coo:
        names, nnz = ("indices", "values"), shape_of(kind.values)[0]
    else:
        names, nnz = (("crow_indices", "col_indices", "values") if kind.layout in BY_ROWS
                      else ("ccol_indices", "row_indices", "values")), shape_of(kind.plain)[-1]
    text = (",\n" + " " * _INDENT).join([_part(name, part) for name, part in zip(names, kind.parts)])
    return _NAME + _with_facts(text, _facts(self, nnz), is_coo) + ")"


def _part(name: str, part: Tensor) -> str:
    prefix = f"{name}=tensor("
    array = part._mt_array
    contents = contents_text(array, _INDENT + len(prefix)) if array.size else f"[], size={tuple(array.shape)}"
    return f"{prefix}{contents})"


def _facts(self: Tensor, nnz: int) -> list[str]:
    default = dtypes.get_default_dtype().name
    facts = [f"size={tuple(shape_of(self))}", f"nnz={nnz}"]
    if self.dtype.name not in (default, COMPLEX_OF_DEFAULT[default], "int64", "bool"):
        facts.append(f"dtype={self.dtype!r}")
    facts.append(f"layout={self._mt_kind.layout!r}")
    if self.grad_fn is not None:
        facts.append(f"grad_fn=<{self.grad_fn.name().rpartition(':')[2]}>")
    elif self._mt_requires:
        facts.append("requires_grad=True")
    return facts


def _with_facts(text: str, facts: list[str], on_new_line: bool) -> str:
    """Append the facts, each on a new line when it would pass the line width, the first one where asked to."""
    column = len(text) - text.rfind("\n") + 1
    for fact in facts:
        if on_new_line or column + len(fact) + 2 > get_printoptions()["linewidth"]:
            text += ",\n" + " " * _INDENT + fact
            column, on_new_line = _INDENT + len(fact), False
        else:
            text += ", " + fact
            column += len(fact) + 2
    return text
