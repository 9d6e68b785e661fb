"""Waiting for every process of a group, and saying who did not come."""

from __future__ import annotations

import time
from datetime import timedelta

import numpy as np

from ..record.ranges import record_range
from .arguments import chosen
from .collectives import run
from .process_group import ProcessGroup, check_timeout
from .work import Work

_NOTHING = np.zeros(0, np.uint8).data
_MONITOR = 0  # the process that waits for all others in monitored_barrier()


def barrier(group: ProcessGroup | None = None, async_op: bool = False, device_ids=None,
            timeout: timedelta | None = None) -> Work | None:
    """Wait until every process is here, for no longer than the timeout."""
    group = chosen(group, "barrier")
    if group is None:
        return None
    check_timeout(timeout)
    others = [peer for peer in range(group.size()) if peer != group.rank()]

    def work(tag: int) -> None:
        group.swap(tag, dict.fromkeys(others, _NOTHING), others, timeout)
    return run(group, ("barrier", "barrier"), work, [], async_op)


def monitored_barrier(group: ProcessGroup | None = None, timeout: timedelta | None = None,
                      wait_all_ranks: bool = False) -> None:
    """The same; the first process says who did not come in time, and the others that it did not answer."""
    group = chosen(group, "monitored_barrier")
    if group is None:
        return
    check_timeout(timeout)
    tag, limit = group.next_tag(), group.timeout if timeout is None else timeout
    with record_range("c10d::monitored_barrier_"):
        if group.rank() == _MONITOR:
            _wait_for_others(group, tag, limit, wait_all_ranks)
        else:
            _wait_for_monitor(group, tag, limit)


def _wait_for_others(group: ProcessGroup, tag: int, limit: timedelta, wait_all_ranks: bool) -> None:
    """Hear of every other process in time, then let all of them go on."""
    end, absent = time.monotonic() + limit.total_seconds(), []
    others = [peer for peer in range(group.size()) if peer != _MONITOR]
    failed = f"failed to pass monitoredBarrier in {round(limit.total_seconds() * 1000)} ms"
    for peer in others:
        left = timedelta(seconds=max(end - time.monotonic(), 0))
        try:
            group.receive(peer, tag, left)
        except RuntimeError as error:
            if not wait_all_ranks:
                raise RuntimeError(f"[Rank {_MONITOR}]: Rank {peer} {failed}\n Original exception: \n"
                                   f"{error}") from error
            absent.append(str(peer))
    if absent:
        raise RuntimeError(f"[Rank {_MONITOR}]: Ranks {', '.join(absent)} {failed}")
    group.swap(tag, dict.fromkeys(others, _NOTHING), ())


def _wait_for_monitor(group: ProcessGroup, tag: int, limit: timedelta) -> None:
    try:
        group.swap(tag, {_MONITOR: _NOTHING}, [_MONITOR], limit)
    except RuntimeError as error:
        raise RuntimeError(f"Rank {group.rank()} successfully reached monitoredBarrier, but received errors while "
                           f"waiting for send/recv from rank {_MONITOR}. Please check rank {_MONITOR} logs for faulty "
                           f"rank.\n Original exception: \n{error}") from error
