"""Copies of a module, one for each device."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from ..modules.module import Module
from .comm import accelerator_index, broadcast_coalesced

__all__ = ["replicate"]


def replicate(network: Module, devices: Sequence, detach: bool = False) -> list[Module]:
    """Copies of a tree of modules whose parameters and buffers stand on devices; only of those that have none, here."""
    if not devices:
        return []
    for device in devices:
        accelerator_index(device)
    if any(True for _ in network.parameters()):
        if detach:
            broadcast_coalesced(list(network.parameters()), devices)
        raise AssertionError("Broadcast function not implemented for CPU tensors")
    if any(True for _ in network.buffers()):
        broadcast_coalesced(list(network.buffers()), devices)
    return [_copied_tree(network) for _ in devices]


def _copied_tree(network: Module) -> Module:
    copies = {module: module._replicate_for_data_parallel() for module in network.modules()}
    for module, copy in copies.items():
        copy._former_parameters = OrderedDict()
        copy._parameters.update(module._parameters)
        copy._buffers.update(module._buffers)
        for name, child in module._modules.items():
            copy._modules[name] = None if child is None else copies[child]
    return copies[network]
