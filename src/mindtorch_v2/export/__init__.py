"""torch.export: programs as graphs for other machines, which are not made here; what programs say of shapes is kept."""

from __future__ import annotations

from typing import NoReturn

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .dynamic_shapes import Dim, dims

__all__ = ["Dim", "ExportedProgram", "dims", "export", "load", "save"]
_NOTHING = "mindtorch_v2 exports no programs: torch.fx.symbolic_trace gives a model's graph"


class ExportedProgram:
    """A model as a graph, for isinstance() and annotations; none can be made."""

    def __init__(self, *args, **kwargs) -> None:
        raise NotImplementedError(_NOTHING)


def _refuse(*args, **kwargs) -> NoReturn:
    raise NotImplementedError(_NOTHING)


export = load = save = _refuse
_answer_for_missing(__name__)
