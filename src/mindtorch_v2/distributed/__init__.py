"""torch.distributed: no other process can be reached, and is_available() says so; a group of this one process works."""

from __future__ import annotations

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import algorithms, constants, device_mesh, distributed_c10d, nn, rpc
from .collectives import (
    Work,
    all_gather,
    all_gather_into_tensor,
    all_reduce,
    all_to_all,
    all_to_all_single,
    barrier,
    broadcast,
    gather,
    irecv,
    isend,
    monitored_barrier,
    recv,
    reduce,
    reduce_scatter,
    reduce_scatter_tensor,
    scatter,
    send,
)
from .constants import default_pg_timeout
from .device_mesh import DeviceMesh, init_device_mesh
from .object_collectives import all_gather_object, broadcast_object_list, gather_object, scatter_object_list
from .process_group import (
    Backend,
    GroupMember,
    ProcessGroup,
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_node_local_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    group,
    init_process_group,
    is_backend_available,
    is_initialized,
    new_group,
)
from .reduce_op import ReduceOp, reduce_op


class GradBucket:
    """Gradients that processes exchange together; for annotations of hooks, which nobody calls."""

    def __init__(self, *args, **kwargs) -> None:
        raise TypeError("No constructor defined!")


class DistError(RuntimeError):
    """What torch raises for failures among processes; for except clauses."""


class DistBackendError(DistError):
    """For except clauses."""


class DistNetworkError(DistError):
    """For except clauses."""


class DistStoreError(DistError):
    """For except clauses."""


def is_available() -> bool:
    """False, as of a build without it: there is no way to other processes."""
    return False


def is_gloo_available() -> bool:
    return False


def is_nccl_available() -> bool:
    return False


def is_mpi_available() -> bool:
    return False


def is_ucc_available() -> bool:
    return False


def is_xccl_available() -> bool:
    return False


def is_torchelastic_launched() -> bool:
    """Whether torchrun started this process."""
    import os
    return os.getenv("TORCHELASTIC_RUN_ID") is not None


_answer_for_missing(__name__)
