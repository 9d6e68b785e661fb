"""Rules that a trace file must keep, each a function from its events to what breaks it; most are about GPUs."""

from __future__ import annotations

import gzip
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

EVENT_RECORDS = {"cudaEventRecord", "cudaEventRecord_ptsz", "cudaEventRecordWithFlags",
                 "cudaEventRecordWithFlags_ptsz"}
NCCL_REQUIRED_FIELDS = {"Collective name", "dtype", "In msg nelems", "Out msg nelems", "Group size"}
RECORDED_AT = "wait_on_cuda_event_record_corr_id"
BACKWARD = "autograd::engine::evaluate_function:"


@dataclass
class Violation:
    """One place where a rule is broken."""

    rule_name: str
    message: str

    def __str__(self) -> str:
        return f"{self.rule_name}: {self.message}"


Rule = Callable[[list[dict]], list[Violation]]
RULES: list[Rule] = []


def _rule(messages: Callable[[list[dict]], Iterator[str]]) -> Rule:
    """A rule from a function that yields what is wrong; slices alone are looked at."""
    def check(events: list[dict]) -> list[Violation]:
        slices = [event for event in events if event.get("ph") == "X"]
        return [Violation(check.__name__, message) for message in messages(slices)]

    check.__name__, check.__doc__ = messages.__name__, messages.__doc__
    RULES.append(check)
    return check


def _args(event: dict) -> dict:
    return event.get("args", {})


def _us(event: dict, key: str = "ts") -> float:
    return float(event.get(key, 0))


@_rule
def _check_gpu_kernel_causality(events: list[dict]) -> Iterator[str]:
    """No kernel begins before it is launched."""
    launches = defaultdict(list)
    for event in events:
        if event.get("cat") == "cuda_runtime" and event.get("name") == "cudaLaunchKernel":
            launches[_args(event).get("External id")].append(event)
    for event in events:
        args = _args(event)
        candidates = launches.get(args.get("External id")) if event.get("cat") == "kernel" else None
        if not candidates or args.get("External id") is None:
            continue
        same = [e for e in candidates if _args(e).get("correlation") == args.get("correlation")]
        launch = (same or candidates)[0]
        early = _us(launch) - _us(event)
        if early > 0:
            yield (f"GPU kernel '{event.get('name')}' (External id={args.get('External id')}, "
                   f"correlation={args.get('correlation')}) starts {early}us before its cudaLaunchKernel "
                   f"(External id={args.get('External id')}, correlation={_args(launch).get('correlation')}), "
                   f"gpu_ts={_us(event)}, cpu_ts={_us(launch)}")


@_rule
def _check_stream_wait_corr_id_populated(events: list[dict]) -> Iterator[str]:
    """Whoever waits for an event says where it was recorded."""
    for event in events:
        args = _args(event)
        if args.get("cuda_sync_kind") in ("Stream Wait Event", "Event Sync"):
            recorded = args.get(RECORDED_AT)
            if recorded is None or recorded < 0:
                yield (f"'{args['cuda_sync_kind']}' event at ts={_us(event)}us on device={args.get('device')} "
                       f"stream={args.get('stream')} has invalid {RECORDED_AT}={recorded}")


@_rule
def _check_stream_sync_overlap(events: list[dict]) -> Iterator[str]:
    """No kernel is running where its stream is said to be done."""
    kernels = [event for event in events if event.get("cat") == "kernel"]
    for event in events:
        args = _args(event)
        if event.get("cat") != "cuda_sync" or args.get("cuda_sync_kind") != "Stream Sync":
            continue
        start = _us(event)
        for kernel in kernels:
            theirs, finished = _args(kernel), _us(kernel) + _us(kernel, "dur")
            same = (theirs.get("device"), theirs.get("stream")) == (args.get("device"), args.get("stream"))
            if same and _us(kernel) < start < finished:
                yield (f"StreamSynchronize on device={args.get('device')} stream={args.get('stream')} at ts={start}us "
                       f"but kernel '{kernel.get('name', '')}' (ends {finished}us) is still running "
                       f"({finished - start}us overlap)")


@_rule
def _check_stream_wait_corr_id_in_past(events: list[dict]) -> Iterator[str]:
    """An event is recorded before somebody waits for it."""
    recorded = {_args(e).get("correlation"): _us(e) for e in events
                if e.get("cat") in ("cuda_runtime", "cuda_driver") and e.get("name") in EVENT_RECORDS}
    for event in events:
        args = _args(event)
        number = args.get(RECORDED_AT)
        if args.get("cuda_sync_kind") != "Stream Wait Event" or number is None or number < 0:
            continue
        here = f"Stream Wait Event at ts={_us(event)}us references"
        if number not in recorded:
            yield f"{here} corr_id={number} but no matching cudaEventRecord in trace"
        elif recorded[number] > _us(event):
            yield (f"{here} cudaEventRecord (corr_id={number}) {recorded[number] - _us(event)}us in the future "
                   f"(event_record_ts={recorded[number]})")


@_rule
def _check_nccl_metadata(events: list[dict]) -> Iterator[str]:
    """Every collective says what it moved."""
    for event in events:
        if event.get("name") == "record_param_comms":
            missing = sorted(NCCL_REQUIRED_FIELDS - set(_args(event)))
            if missing:
                yield f"'record_param_comms' at ts={_us(event)}us missing metadata: {missing}"


@_rule
def _check_backward_seq_id_uniqueness(events: list[dict]) -> Iterator[str]:
    """A sequence number belongs to one kind of backward node."""
    names: dict[int, dict[str, None]] = defaultdict(dict)
    for event in events:
        if BACKWARD in event.get("name", ""):
            number = _args(event).get("Sequence number", _args(event).get("seq_num"))
            if number is not None:
                names[number].setdefault(event["name"].removeprefix("autograd:").strip())
    for number, sharing in names.items():
        if len(sharing) > 1:
            yield f"Sequence number {number} shared by {len(sharing)} backward ops: {list(sharing)}"


def load_events(path: str | os.PathLike) -> list[dict]:
    """The events of a trace file, compressed or not."""
    opened = gzip.open if os.fspath(path).endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        trace = json.load(file)
    return trace if isinstance(trace, list) else trace.get("traceEvents", [])


def validate_trace(trace_path: str | os.PathLike) -> tuple[bool, list[Violation]]:
    """Whether a trace keeps all rules, and where it does not."""
    events = load_events(trace_path)
    violations = [violation for rule in RULES for violation in rule(events)]
    return not violations, violations
