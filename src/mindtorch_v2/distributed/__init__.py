"""torch.distributed: groups of processes that are connected by sockets, under the name of gloo."""

from __future__ import annotations

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import algorithms, constants, device_mesh, distributed_c10d, nn, rpc
from .collectives import (
    all_gather,
    all_reduce,
    barrier,
    broadcast,
    gather,
    monitored_barrier,
    reduce,
    reduce_scatter,
    scatter,
)
from .constants import default_pg_timeout
from .device_mesh import DeviceMesh, init_device_mesh
from .errors import DistBackendError, DistError, DistNetworkError, DistStoreError, QueueEmptyError
from .grad_bucket import GradBucket
from .object_collectives import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from .point_to_point import P2POp, batch_isend_irecv, irecv, isend, recv, send
from .process_group import (
    Backend,
    GroupMember,
    ProcessGroup,
    destroy_process_group,
    group,
    init_process_group,
    is_initialized,
    new_group,
)
from .ranks import (
    get_backend,
    get_backend_config,
    get_default_backend_for_device,
    get_global_rank,
    get_group_rank,
    get_node_local_rank,
    get_pg_count,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    is_backend_available,
)
from .reduce_op import ReduceOp, reduce_op
from .rendezvous import register_rendezvous_handler, rendezvous
from .store import FileStore, HashStore, PrefixStore, Store
from .subgroups import new_subgroups, new_subgroups_by_enumeration
from .tcp_store import TCPStore
from .whole_tensors import all_gather_into_tensor, all_to_all, all_to_all_single, reduce_scatter_tensor
from .work import Work


def is_available() -> bool:
    """True: processes reach each other by sockets."""
    return True


def is_gloo_available() -> bool:
    """True: what goes by this name leads to other processes."""
    return True


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
