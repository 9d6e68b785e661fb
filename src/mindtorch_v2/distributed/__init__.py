"""torch.distributed: groups of processes that are connected by sockets, under the name of gloo."""

from __future__ import annotations

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import algorithms, constants, device_mesh, distributed_c10d, nn, rpc
from .device_mesh import DeviceMesh, init_device_mesh
from .distributed_c10d import *  # noqa: F403  groups and what they do together
from .errors import DistBackendError, DistError, DistNetworkError, DistStoreError, QueueEmptyError
from .grad_bucket import GradBucket
from .process_group import _rank_not_in_group


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
