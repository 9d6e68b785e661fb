"""DistributedDataParallel: a module whose processes average their gradients; the group of one has its own."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from functools import partial

from ...autograd.grad_mode import no_grad
from ...core import modes
from ...core.tensor import Tensor
from ...record.ranges import record_function
from ..modules.module import Module
from .reducer import Reducer

__all__ = ["DistributedDataParallel"]

DEFAULT_BUCKET_MB = 25
_BYTES_PER_MB = 1 << 20


class DistributedDataParallel(Module):
    """A module in a group of processes; refused before ``init_process_group``, as PyTorch refuses it."""

    def __init__(self, module: Module, device_ids=None, output_device=None, dim: int = 0, broadcast_buffers=None,
                 init_sync: bool = True, process_group=None, bucket_cap_mb=None, find_unused_parameters: bool = False,
                 check_reduction: bool = False, gradient_as_bucket_view: bool = False, static_graph: bool = False,
                 delay_all_reduce_named_params=None, param_to_hook_all_reduce=None, mixed_precision=None,
                 device_mesh=None, skip_all_reduce_unused_params: bool = False,
                 bucket_cap_mb_list: list[int] | None = None, batched_grad_copy: bool = False,
                 forward_sync_buffers: bool | None = None) -> None:
        super().__init__()
        from ...distributed import process_group as groups  # above this room, as in torch
        self.process_group = process_group or groups.default_group()
        ignored = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        trained = [p for name, p in module.named_parameters() if p.requires_grad and name not in ignored]
        if not trained:
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any parameter that "
                               "requires a gradient.")
        if device_ids:
            raise ValueError("DistributedDataParallel device_ids and output_device arguments only work with "
                             "single-device/multiple-device GPU modules or CPU modules, but got device_ids "
                             f"{device_ids}, output_device {output_device}, and module parameters "
                             f"{ {p.device for p in module.parameters()} }.")
        self.module, self.dim, self.output_device, self.device_ids = module, dim, output_device, None
        self.broadcast_buffers = True if broadcast_buffers is None else broadcast_buffers
        self.find_unused_parameters, self.static_graph = find_unused_parameters, static_graph
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self._shared_buffers = [b for name, b in module.named_buffers() if name not in ignored]
        # A group of one has nothing to average, so nothing watches its gradients.
        self.reducer = None
        if self.process_group.size() > 1:
            _check_same_shapes(trained, self.process_group)
            if init_sync:
                parameters = [p for name, p in module.named_parameters() if name not in ignored]
                _broadcast(parameters + self._shared_buffers, self.process_group)
            most_bytes = int((DEFAULT_BUCKET_MB if bucket_cap_mb is None else bucket_cap_mb) * _BYTES_PER_MB)
            self.reducer = Reducer(trained, self.process_group, most_bytes, find_unused_parameters or static_graph)

    def forward(self, *inputs, **kwargs):
        """What the module makes of it, in a range of its own."""
        with record_function("DistributedDataParallel.forward"):
            if self.reducer is None:
                return self.module(*inputs, **kwargs)
            is_shared = modes.is_grad_enabled() and self.require_backward_grad_sync
            if is_shared:
                self.reducer.prepare_for_forward()
            if self.require_forward_param_sync and self.broadcast_buffers and self._shared_buffers:
                _broadcast(self._shared_buffers, self.process_group)
            output = self.module(*inputs, **kwargs)
            self.require_forward_param_sync = is_shared
            if is_shared:
                self.reducer.prepare_for_backward(_tensors_in(output))
            return output

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """A block in which gradients are added up in each process, and not averaged."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @contextlib.contextmanager
    def join(self, divide_by_initial_world_size: bool = True, enable: bool = True,
             throw_on_early_termination: bool = False) -> Iterator[None]:
        """A block in which processes may have different numbers of batches; only a group of one has it here."""
        if enable and self.process_group.size() > 1:
            raise NotImplementedError("mindtorch_v2 has no join() of several processes: give each as many batches, as "
                                      "DistributedSampler does, or pass enable=False")
        yield

    def register_comm_hook(self, state: object, hook: Callable) -> None:
        """Have ``hook(state, bucket)`` exchange gradients: it gives a future of what comes in their place."""
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        if self.reducer is not None:
            if self.reducer.hook is not None:
                raise RuntimeError("register_comm_hook or register_builtin_comm_hook can only be called once.")
            self.reducer.hook = partial(hook, state)

    def __getstate__(self) -> dict:
        kept = dict(self.__dict__)
        for name in ("process_group", "reducer"):
            kept.pop(name, None)
        return kept

    def __setstate__(self, state: dict) -> None:
        from ...distributed import process_group as groups
        super().__setstate__(state)
        self.process_group, self.reducer = groups.default_group(), None
        if self.process_group.size() > 1:
            trained = [p for p in self.module.parameters() if p.requires_grad]
            self.reducer = Reducer(trained, self.process_group, DEFAULT_BUCKET_MB * _BYTES_PER_MB,
                                   self.find_unused_parameters or self.static_graph)


def _check_same_shapes(parameters: list[Tensor], group) -> None:
    """An error if another process has a module of other parameters."""
    from ...distributed.object_collectives import all_gather_object
    everyone: list[list] = [[]] * group.size()
    all_gather_object(everyone, [tuple(p.shape) for p in parameters], group)
    rank = group.rank()
    for peer, shapes in enumerate(everyone):
        if len(shapes) != len(parameters):
            first, second = sorted((rank, peer))
            raise RuntimeError("DDP expects same model across all ranks, but Rank "
                               f"{first} has {len(everyone[first])} params, while rank {second} has inconsistent "
                               f"{len(everyone[second])} params.")
        for place, (ours, theirs) in enumerate(zip(everyone[rank], shapes, strict=True)):
            if ours != theirs:
                raise RuntimeError(f"[{rank}]: params[{place}] in this process with sizes {list(ours)} appears not to "
                                   f"match sizes of the same param in process {peer}.")


def _broadcast(tensors: list[Tensor], group) -> None:
    """Give every process the tensors of the first."""
    from ...distributed.collectives import broadcast
    with no_grad():
        works = [broadcast(tensor, group=group, group_src=0, async_op=True) for tensor in tensors]
        for work in works:
            work.wait()


def _tensors_in(output) -> list[Tensor]:
    """The tensors that a module returned, in lists, dicts and dataclasses too."""
    if isinstance(output, Tensor):
        return [output]
    if isinstance(output, dict):
        parts = list(output.values())
    elif dataclasses.is_dataclass(output):
        parts = [getattr(output, field.name) for field in dataclasses.fields(output)]
    else:
        parts = output if isinstance(output, (list, tuple)) else []
    return [tensor for part in parts for tensor in _tensors_in(part)]
