"""DataParallel: without an accelerator, the module it was given."""

from __future__ import annotations

from ...core import modes
from ...core.tensor import Tensor
from ...record.ranges import record_range
from ..modules.module import Module
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs

__all__ = ["DataParallel", "data_parallel"]


class DataParallel(Module):
    """Calls its module; on machines with accelerators PyTorch would divide the batch among them."""

    def __init__(self, module: Module, device_ids=None, output_device=None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs, **kwargs):
        with record_range("DataParallel.forward"):
            return self.module(*inputs, **kwargs)

    def replicate(self, module: Module, device_ids) -> list[Module]:
        """Copies of a module on devices."""
        return replicate(module, device_ids, not modes.is_grad_enabled())

    def scatter(self, inputs: tuple, kwargs: dict | None, device_ids):
        """Parts of the inputs on devices."""
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas, inputs, kwargs) -> list:
        """What the copies make of the parts."""
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[:len(replicas)])

    def gather(self, outputs, output_device):
        """The parts of the output in one piece."""
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(module: Module, inputs, device_ids=None, output_device=None, dim: int = 0,
                  module_kwargs=None) -> Tensor:
    """The same as a function, which needs an accelerator."""
    raise RuntimeError("device type could not be determined")
