"""Profiles of several processes as one."""

from __future__ import annotations

from collections.abc import Iterable

from ..table.combined import combined
from .autograd_results import AutogradResults
from .file_format import SETTINGS, SWITCHES
from .loaded import Kept, LoadedAutogradProfile, LoadedProfile, Switches
from .overhead import Overhead
from .profile_results import ProfileResults

RECORDING = "a profile that records cannot be combined with others: call stop() first"
NOTHING = "a profile that has recorded nothing yet cannot be combined with others"


def combine(profiles: Iterable[ProfileResults]) -> LoadedProfile:
    """One profile of several, live or loaded: all events by the clock of the world, processes and threads apart.

    What a profile says of itself (the name of its trace, experimental switches) is taken from the first.
    """
    profiles = list(profiles)
    if not profiles:
        raise ValueError("combine() wants at least one profile")
    for profile in profiles:
        if not isinstance(profile, ProfileResults):
            raise TypeError(f"combine() wants profiles, but got {type(profile).__name__}")
    parts = [_finished(profile._initialized("combining")) for profile in profiles]
    hosts = [part._host_name() for part in parts]
    table = combined([part._recordings.table() for part in parts], hosts)
    kept = Kept(table, sum(part.dropped_events for part in parts), _overhead([part.overhead() for part in parts]))
    settings = {name: any(getattr(profile, name) for profile in profiles) for name in SETTINGS}
    switches = {name: bool(getattr(parts[0].experimental_config, name)) for name in SWITCHES}
    categories = None if any(part._categories is None for part in parts) else \
        sorted(frozenset().union(*(part._categories for part in parts)))
    profiler = LoadedAutogradProfile(
        kept, Switches(**switches | {"trace_only": parts[0]._trace_only}), parts[0].trace_id,
        ", ".join(dict.fromkeys(hosts)), categories, _together([part._metadata for part in parts]), settings)
    return LoadedProfile(profiler, profiles[0].use_device, _together([p.preset_metadata for p in profiles]),
                         _together([p._trace_metadata for p in profiles]), settings)


def _finished(part: AutogradResults) -> AutogradResults:
    if part._recordings.running:
        raise RuntimeError(RECORDING)
    if not part._recordings.started:
        raise RuntimeError(NOTHING)
    return part


def _together(metadata: list[dict[str, str]]) -> dict[str, str]:
    """Everybody's pieces; of two by one name, that of the earlier profile."""
    return {key: piece for pieces in reversed(metadata) for key, piece in pieces.items()}


def _overhead(costs: list[Overhead]) -> Overhead:
    """The sum of all events' cost, and its share of the time that all profiles recorded."""
    events, total_ns = sum(cost.events for cost in costs), sum(cost.total_ns for cost in costs)
    lasted_ns = sum(cost.total_ns / cost.share for cost in costs if cost.share)
    each_ns = total_ns / events if events else costs[0].ns_per_event
    return Overhead(each_ns, events, total_ns, total_ns / lasted_ns if lasted_ns else 0.0)
