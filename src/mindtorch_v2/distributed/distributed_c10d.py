"""torch.distributed.distributed_c10d: torch's address for groups and what they do together."""

from .collectives import (  # noqa: F401
    Work,
    all_gather,
    all_gather_into_tensor,
    all_reduce,
    barrier,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    scatter,
)
from .constants import default_pg_timeout  # noqa: F401
from .object_collectives import all_gather_object, broadcast_object_list, gather_object  # noqa: F401
from .process_group import (  # noqa: F401
    Backend,
    GroupMember,
    ProcessGroup,
    default_group,
    destroy_process_group,
    get_backend,
    get_rank,
    get_world_size,
    group,
    init_process_group,
    is_initialized,
    new_group,
)
from .reduce_op import ReduceOp  # noqa: F401

_get_default_group = default_group
