"""What an activity of a device says about itself; on the processor there is nothing to say."""

from __future__ import annotations

import json
from collections import namedtuple

KERNEL = 0  # the first of record/layout.py's kinds of device activity


def to_str(v: str) -> str:
    """A word without the quotes that may stand around it."""
    return v.strip('"')


def to_bool(v: str) -> bool:
    return v in ("true", "1")


# How a trace calls each fact, and how its text is read.
EVENT_METADATA_KEYS = {
    "registers per thread": ("registers_per_thread", int),
    "shared memory": ("shared_memory", int),
    "grid": ("grid", json.loads),
    "block": ("block", json.loads),
    "priority": ("priority", int),
    "blocks per SM": ("blocks_per_sm", float),
    "warps per SM": ("warps_per_sm", float),
    "est. achieved occupancy %": ("est_occupancy_pct", float),
    "occupancy": ("occupancy", json.loads),
    "queued": ("queued", int),
    "graph id": ("graph_id", int),
    "graph node id": ("graph_node_id", int),
    "stream": ("stream", int),
    "context": ("context", int),
    "channel": ("channel", int),
    "channel_type": ("channel_type", int),
    "bytes": ("bytes", int),
    "memory bandwidth (GB/s)": ("bandwidth_gb_s", float),
    "Collective name": ("collective_name", to_str),
    "dtype": ("dtype", to_str),
    "In msg nelems": ("in_msg_nelems", int),
    "Out msg nelems": ("out_msg_nelems", int),
    "In split size": ("in_split_size", to_str),
    "Out split size": ("out_split_size", to_str),
    "Global rank start": ("global_rank_start", int),
    "Global rank stride": ("global_rank_stride", int),
    "Group size": ("group_size", int),
    "Process Group Name": ("process_group_name", to_str),
    "Process Group Description": ("process_group_desc", to_str),
    "Process Group Ranks": ("group_ranks", to_str),
    "Rank": ("rank", int),
    "Src Rank": ("src_rank", int),
    "Dst Rank": ("dst_rank", int),
    "Seq": ("seq", int),
    "Is asynchronized op": ("is_async", to_bool),
}

EventMetadata = namedtuple("EventMetadata", (
    "registers_per_thread shared_memory grid block priority blocks_per_sm warps_per_sm occupancy est_occupancy_pct "
    "queued graph_id graph_node_id stream context channel channel_type bytes bandwidth_gb_s collective_name dtype "
    "in_msg_nelems out_msg_nelems in_split_size out_split_size global_rank_start global_rank_stride group_size "
    "process_group_name process_group_desc group_ranks rank src_rank dst_rank seq is_async").split(),
    module="mindtorch_v2.autograd.profiler_util")


def build_metadata(extra_meta: dict[str, str]) -> EventMetadata | None:
    """The facts in a trace's own words as one tuple; None where there are none."""
    known = {field: read(extra_meta[key]) for key, (field, read) in EVENT_METADATA_KEYS.items()
             if extra_meta.get(key) is not None}
    return EventMetadata(**{name: known.get(name) for name in EventMetadata._fields}) if known else None


def device_metadata(queue: int, kind: int, nbytes: int, lasted_ns: int) -> dict[str, str]:
    """What is known of an activity of a device, in a trace's own words; torch gives bytes of copies and sets alone."""
    said = {"stream": str(queue)}
    if kind != KERNEL or nbytes:
        said["bytes"] = str(nbytes)
    if kind != KERNEL and lasted_ns:
        said["memory bandwidth (GB/s)"] = repr(nbytes / lasted_ns)
    return said
