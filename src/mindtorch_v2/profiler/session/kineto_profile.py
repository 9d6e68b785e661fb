"""torch.profiler._KinetoProfile: start, stop, results."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ...core.user_warning import warn_user
from ...record.plain_text import exact_text
from ..export import json_text
from ..results import profile_results
from ..results.combining import combine
from ..results.profile_results import ProfileResults
from . import autograd_profile
from .activities import ProfilerActivity, device_of, read_activities
from .callbacks import Callbacks
from .experimental_config import parse_custom_profiler_config
from .metadata import _checked_metadata
from .pickled import fit_for_pickle, refuse_recording
from .recording_limits import UNLIMITED
from .thread_choice import ThreadChoice
from .warn_once import warn_once

if TYPE_CHECKING:
    from ..report.report import Source

USERS_FUNCTIONS = ("on_trace_ready", "schedule", "custom_trace_id_callback", "execution_trace_observer")
SWITCHES = ("record_shapes", "profile_memory", "with_flops", "with_stack", "with_modules")
profile_results.warn_once = warn_once
ALREADY_RUNNING = "This profile is running already. Call stop() before it is started again, or start another profile."


class _KinetoProfile(ProfileResults):
    """A profile without steps: start, stop, results."""

    with_cpu_time = False

    def __init__(self, *, activities: Iterable | None = None, record_shapes: bool = False, profile_memory: bool = False,
                 with_stack: bool = False, with_flops: bool = False, with_modules: bool = False,
                 experimental_config=None, execution_trace_observer=None, acc_events: bool = False,
                 custom_trace_id_callback: Callable[[], str] | None = None,
                 post_processing_timeout_s: float | None = None) -> None:
        self.activities, self.activity_filters = read_activities(activities)
        self.record_shapes, self.profile_memory, self.with_stack = record_shapes, profile_memory, with_stack
        self.with_flops, self.with_modules, self.acc_events = with_flops, with_modules, acc_events
        self.experimental_config = experimental_config
        self.execution_trace_observer = execution_trace_observer
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.profiler: autograd_profile.profile | None = None
        self.has_cudagraphs = False
        self.mem_tl = None
        self.use_device = device_of(self.activities)
        self._limits = UNLIMITED
        self._threads: ThreadChoice | None = None  # all
        self.preset_metadata: dict[str, str] = {}
        self._trace_metadata: dict[str, str] = {}
        self._custom_profiler_config = parse_custom_profiler_config(experimental_config)
        self._callbacks = Callbacks()
        self._finished: autograd_profile.profile | None = None  # what is shown until the next cycle records

    def __getstate__(self) -> dict:
        """For pickle: the results, and those of the user's functions that can be pickled."""
        self._refuse_copy()
        functions = {name: getattr(self, name, None) for name in USERS_FUNCTIONS}
        return {**vars(self), **fit_for_pickle(functions), **self._state_of_copy()}

    def __copy__(self) -> _KinetoProfile:
        """A profile that has ended, with the same results, functions and observer, and a life of its own."""
        self._refuse_copy()
        copied = type(self).__new__(type(self))
        vars(copied).update(vars(self), **self._state_of_copy())
        copied.profiler, copied._finished = copy.copy(self.profiler), copy.copy(self._finished)
        return copied

    def __deepcopy__(self, memo: dict) -> _KinetoProfile:
        return self.__copy__()  # results are never written to, and events are made anew

    def _refuse_copy(self) -> None:
        if self.profiler is not None:
            refuse_recording(self.profiler._recordings)

    def _state_of_copy(self) -> dict:
        """What of its state a copy does not share."""
        return {"_callbacks": Callbacks(), "mem_tl": None, "preset_metadata": dict(self.preset_metadata),
                "_trace_metadata": dict(self._trace_metadata)}

    def start(self) -> None:
        """Begin to record."""
        self._refuse_if_recording()
        try:
            self.prepare_trace()
            self.start_trace()
        except BaseException:  # a profile that did not start must not go on recording
            self._record_no_more()
            raise
        self._callbacks.tell()

    def stop(self) -> None:
        """Record no more."""
        try:
            self.stop_trace()
        finally:
            self._record_no_more()
        self._callbacks.tell()

    def _record_no_more(self) -> None:
        if self.profiler is not None:
            self.profiler._recordings.close()

    def prepare_trace(self) -> None:
        """Get ready; nothing is recorded yet."""
        self._refuse_if_recording()
        if self.profiler is None or not self.acc_events:
            if self.profiler is not None and self.profiler._recordings.started:
                self._finished = self.profiler
            callback = self.custom_trace_id_callback
            self.profiler = autograd_profile.profile(
                use_cpu=ProfilerActivity.CPU in self.activities, use_device=self.use_device,
                record_shapes=self.record_shapes, with_flops=self.with_flops, profile_memory=self.profile_memory,
                with_stack=self.with_stack, with_modules=self.with_modules, use_kineto=True,
                experimental_config=self.experimental_config, acc_events=self.acc_events,
                custom_trace_id_callback=callback and partial(self._callbacks.trace_id, callback),
                post_processing_timeout_s=self.post_processing_timeout_s, activity_filters=self.activity_filters)
            self.profiler._limit(self._limits)
            if self._threads is not None:
                self.profiler._choose(self._threads)
            if self.with_cpu_time:
                self.profiler._time_cpu()
        self.profiler._prepare_trace()

    def start_trace(self) -> None:
        """Begin to record, after prepare_trace."""
        self._initialized("starting trace")
        self._refuse_if_recording()
        self.profiler._start_trace()
        self._finished = None
        self._observe("start")

    def stop_trace(self) -> None:
        """End what start_trace began."""
        try:
            self._observe("stop")
        finally:
            self._initialized("stopping trace")
            self.profiler.__exit__(None, None, None)

    def _observe(self, method: str) -> None:
        """Have the execution trace observer start, stop or clean up."""
        if self.execution_trace_observer is not None:
            self._callbacks.call(f"execution_trace_observer.{method}()", getattr(self.execution_trace_observer, method))

    def _refuse_if_recording(self) -> None:
        if self.profiler is not None and self.profiler._recordings.running:
            raise RuntimeError(ALREADY_RUNNING)

    def _initialized(self, doing: str) -> autograd_profile.profile:
        """Whose events are shown: of the cycle that records or recorded last, not of one that is only prepared."""
        if self.profiler is None:
            raise AssertionError(f"Profiler must be initialized before {doing}")
        return self._finished or self.profiler

    def workers(self) -> list[_KinetoProfile]:
        """A profile of each worker process of a DataLoader, of what it fetched while this profile recorded."""
        shown = self._initialized("asking for its workers")
        return [self._of_worker(recordings) for _, recordings in sorted(shown._recordings.of_workers().items())]

    def _of_worker(self, recordings) -> _KinetoProfile:
        worker = _KinetoProfile(activities=[ProfilerActivity.CPU], **{name: bool(getattr(self, name))
                                                                      for name in SWITCHES})
        worker.prepare_trace()
        worker.profiler._recordings = recordings
        return worker

    def with_workers(self) -> ProfileResults:
        """This profile and those of its workers as one, which can be asked and saved; this one if it has none."""
        workers = self.workers()
        return combine([self, *workers]) if workers else self

    def export_chrome_trace(self, path, use_python_export: bool = False) -> None:
        """Write a trace to a path or an open file, with a process for each worker; ``.gz`` compresses."""
        self._export_trace(path)

    def _whole(self, doing: str) -> ProfileResults:
        """This profile with what its workers did, as soon as it has stopped."""
        shown = self._initialized(doing)
        is_alone = shown._recordings.running or not shown._recordings.started
        return self if is_alone else self.with_workers()

    @property
    def folder(self) -> str | None:
        """Where the recording is written while it goes on; ``profiler.load`` reads what a lost process left there."""
        return None if self.profiler is None else self._initialized("asking for its folder")._recordings.folder

    def _reported(self, title: str) -> Source:
        """This profile for a report, with what its workers did."""
        source = super()._reported(title)
        whole = self._whole("writing a report")
        return source if whole is self else replace(source, table=whole.profiler._recordings.table())

    def toggle_collection_dynamic(self, enable: bool, activities: Iterable[ProfilerActivity]) -> None:
        """Switch collection off and on again while the profile runs."""
        if self.profiler is not None:
            self.profiler.toggle_collection_dynamic(enable, activities)

    def add_metadata(self, key: str, value: str) -> None:
        """Put a text into the trace file."""
        if not isinstance(value, str):
            raise AttributeError(f"'{type(value).__name__}' object has no attribute 'replace'")
        self.add_metadata_json(key, json_text.dump(value))

    def add_metadata_json(self, key: str, value: str) -> None:
        """Put a piece of JSON into the trace file; what is no JSON goes into it as a string."""
        self._trace_metadata[exact_text(key)] = _checked_metadata(key, value)

    def preset_metadata_json(self, key: str, value: str) -> None:
        """The same before the profile has started."""
        self.preset_metadata[exact_text(key)] = _checked_metadata(key, value)

    def export_memory_timeline(self, path, device: str | None = None) -> None:
        """Write what kinds of memory were alive when."""
        warn_user("`export_memory_timeline` is deprecated and will be removed in a future version. Please use "
                  "`torch.cuda.memory._record_memory_history` and `torch.cuda.memory._export_memory_snapshot` "
                  "instead.", FutureWarning)
        super().export_memory_timeline(path, device)
