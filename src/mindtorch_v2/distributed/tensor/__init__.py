"""torch.distributed.tensor: tensors that many processes hold parts of, for isinstance(); none can be made."""

from __future__ import annotations

from typing import NoReturn

from ...core.missing_name import answer_for_missing as _answer_for_missing
from ...core.overrides import disabled_function
from ...core.tensor import Tensor
from .placement_types import Partial, Placement, Replicate, Shard

__all__ = ["DTensor", "Partial", "Placement", "Replicate", "Shard", "distribute_module", "distribute_tensor"]
_ALONE = "mindtorch_v2 makes no groups of several processes, and so no tensors that are divided among them"


class DTensor(Tensor):
    """A tensor of which this process holds a part."""

    __torch_function__ = disabled_function  # nobody needs to be asked about tensors that cannot be made

    def __new__(cls, *args, **kwargs) -> NoReturn:
        raise RuntimeError(_ALONE)

    from_local = staticmethod(__new__)


def _refuse(*args, **kwargs) -> NoReturn:
    raise RuntimeError(_ALONE)


distribute_tensor = distribute_module = _refuse
_answer_for_missing(__name__)
