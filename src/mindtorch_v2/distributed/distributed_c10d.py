"""torch.distributed.distributed_c10d: torch's address for groups and what they do together."""

from .barriers import barrier, monitored_barrier  # noqa: F401
from .coalesced import all_gather_coalesced, all_reduce_coalesced  # noqa: F401
from .collectives import (  # noqa: F401
    all_gather,
    all_reduce,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    scatter,
)
from .constants import default_pg_nccl_timeout, default_pg_timeout  # noqa: F401
from .object_collectives import (  # noqa: F401
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from .parts import supports_complex  # noqa: F401
from .point_to_point import P2POp, batch_isend_irecv, irecv, isend, recv, send  # noqa: F401
from .process_group import (  # noqa: F401
    Backend,
    GroupMember,
    ProcessGroup,
    _rank_not_in_group,
    destroy_process_group,
    group,
    init_process_group,
    is_initialized,
    new_group,
)
from .process_group import default_group as _get_default_group  # noqa: F401
from .ranks import (  # noqa: F401
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
from .reduce_op import ReduceOp, reduce_op  # noqa: F401
from .rendezvous import register_rendezvous_handler, rendezvous  # noqa: F401
from .store import FileStore, HashStore, PrefixStore, Store  # noqa: F401
from .subgroups import new_subgroups, new_subgroups_by_enumeration  # noqa: F401
from .tcp_store import TCPStore  # noqa: F401
from .whole_tensors import (  # noqa: F401
    all_gather_into_tensor,
    all_gather_single,
    all_to_all,
    all_to_all_single,
    reduce_scatter_single,
    reduce_scatter_tensor,
)
from .work import Work  # noqa: F401
