"""torch.autograd.profiler.profile: recording from start to stop, and its results."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace

from ...core.user_warning import warn_user
from ...record import rows
from ...record.interrupts import uninterrupted
from ..export.event_list import EventList
from ..kineto.result import _ProfilerResult
from ..results import time_limit
from ..results.autograd_results import AutogradResults
from ..results.stats import _ProfilerStats
from . import active, devices, switches
from .activities import ACTIVITY_OF, ProfilerActivity, RecordScope, categories, device_kinds
from .callbacks import new_trace_id
from .config import ProfilerConfig
from .drain import Wishes
from .experimental_config import UNSAID, _ExperimentalConfig
from .metadata import own_metadata
from .pickled import fit_for_pickle
from .recording_limits import RecordingLimits
from .recordings import Recordings
from .thread_choice import ThreadChoice

_ANEW = {"_events": None, "_results": None}  # made when somebody asks for them


class profile(AutogradResults):  # noqa: N801 - torch's name
    """Record from ``__enter__`` to ``__exit__``; results are worked out when they are asked for."""

    __module__ = "mindtorch_v2.autograd.profiler"

    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False,
                 profile_memory=False, with_stack=False, with_modules=False, use_kineto=False, use_cpu=True,
                 experimental_config=None, acc_events=False, custom_trace_id_callback=None,
                 post_processing_timeout_s: float | None = None, activity_filters=None):
        self.enabled = bool(enabled)
        self.use_cuda = use_cuda
        if use_cuda:
            warn_user("The attribute `use_cuda` will be deprecated soon, please use ``use_device = 'cuda'`` instead.",
                      FutureWarning)
            use_device = "cuda"
        time_limit.check(post_processing_timeout_s, "post_processing_timeout_s")
        self.use_device = devices.available(use_device)
        self.entered = False
        self.record_shapes, self.with_flops, self.profile_memory = record_shapes, with_flops, profile_memory
        self.with_stack, self.with_modules, self.use_cpu = with_stack, with_modules, use_cpu
        self.acc_events = acc_events
        self.experimental_config = _ExperimentalConfig() if experimental_config is None else experimental_config
        self.custom_trace_id_callback = custom_trace_id_callback
        self.post_processing_timeout_s = post_processing_timeout_s
        self.activity_filters = activity_filters or {}
        self.kineto_activities = {ProfilerActivity.CPU} if use_cpu else set()
        if self.use_device is not None and use_kineto:
            self.kineto_activities.add(ACTIVITY_OF.get(self.use_device, ProfilerActivity.PrivateUse1))
        self.trace_id = ""
        self.profiling_start_time_ns = self.profiling_end_time_ns = 0
        self._stats = _ProfilerStats()
        self._recordings = Recordings(Wishes(record_shapes, profile_memory, with_flops, with_stack, with_modules,
                                             self.experimental_config.record_python_gc_info,
                                             arrows=switches.arrows,
                                             threads=_threads(self.experimental_config), device=self.use_device,
                                             use_cpu=bool(use_cpu)))
        self._metadata = own_metadata()
        self._events: EventList | None = None
        self._results: _ProfilerResult | None = None
        self._check(use_kineto)

    def __getstate__(self) -> dict:
        """For pickle: the results, and the user's function if it can be pickled."""
        return {**vars(self), **_ANEW, "_stats": replace(self._stats), **fit_for_pickle(
            {"custom_trace_id_callback": self.custom_trace_id_callback})}

    def __copy__(self) -> profile:
        """A profile with the same results, and a life of its own."""
        copied = type(self).__new__(type(self))
        vars(copied).update(vars(self), **_ANEW, _stats=replace(self._stats), _metadata=dict(self._metadata),
                            _recordings=copy.copy(self._recordings))
        return copied

    def __deepcopy__(self, memo: dict) -> profile:
        return self.__copy__()  # results are never written to, and events are made anew

    def _check(self, use_kineto: bool) -> None:
        """Wishes that cannot go together."""
        if not self.use_cpu and not use_kineto:
            raise AssertionError("Device-only events supported only with Kineto (use_kineto=True)")
        self.profiler_kind = devices.profiler_state(self.use_device, use_kineto, self.use_cpu)
        if not self.kineto_activities:
            raise AssertionError("No activities specified for the profiler")
        self._trace_only = self.experimental_config.trace_only
        if self._trace_only and self.with_stack:
            warn_user("trace_only=True is incompatible with with_stack=True (stack traces require event "
                      "post-processing). Disabling trace_only.")
            self._trace_only = False
        if self.experimental_config.performance_events:
            warn_user("performance_events: the processor's own counters are not read here; events will have none")

    def config(self, create_trace_id=False) -> ProfilerConfig:
        """What is recorded, in one piece."""
        if create_trace_id:
            self.trace_id = self.create_trace_id()
        return ProfilerConfig(self.profiler_kind, self.record_shapes, self.profile_memory, self.with_stack,
                              self.with_flops, self.with_modules, self.experimental_config, self.trace_id)

    def __enter__(self):
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        try:
            self._prepare_trace()
            self._start_trace()
        except BaseException:  # what did not start must not go on recording
            self._recordings.close()
            raise
        return self

    @uninterrupted
    def __exit__(self, exc_type, exc_val, exc_tb):
        if not self.enabled:
            return None
        try:
            if self._recordings.running:
                if self.use_device is not None:
                    devices.synchronize(self.use_device)
                self._end_trace()
        finally:
            self._recordings.close()
            self._events = self._results = None
            active.ends(self)
        return False

    def _end_trace(self) -> None:
        self.profiling_end_time_ns = rows.now_ns()
        with self._timed("profiler_disable_call_duration_us"):
            self._recordings.close()
        lasted_ns = self.profiling_end_time_ns - self.profiling_start_time_ns
        self._stats.profiling_window_duration_sec = lasted_ns / 1e9

    def _only(self, scopes: Iterable[RecordScope]) -> None:
        """Show events of these kinds alone; of all, if there are none."""
        self._recordings.wishes = replace(self._recordings.wishes, scopes=frozenset(map(int, scopes)))

    def _time_cpu(self) -> None:
        """Note how long threads ran on a processor, too."""
        self._recordings.wishes = replace(self._recordings.wishes, with_cpu_time=True)

    def _choose(self, threads: ThreadChoice) -> None:
        """Show these threads alone."""
        self._recordings.wishes = replace(self._recordings.wishes, threads=threads)

    def _limit(self, limits: RecordingLimits) -> None:
        """Say how much may be held in memory, and what happens to the rest."""
        self._recordings.wishes = replace(self._recordings.wishes, most_events=limits.events,
                                          overflow=limits.overflow, crash_safe=limits.crash_safe,
                                          folder=limits.folder)

    def _prepare_trace(self):
        """Everything that can be done before the clock runs."""
        self.entered = True
        with self._timed("profiler_prepare_call_duration_us"):
            self._categories = categories(self.activity_filters)
            self._recordings.wishes = replace(self._recordings.wishes, device_kinds=device_kinds(self.activity_filters))
            self.trace_id = self.create_trace_id()

    @uninterrupted
    def _start_trace(self):
        self.entered = True
        self._events = None
        with self._timed("profiler_enable_call_duration_us"):
            self._recordings.open(keep=self.acc_events)
        try:
            active.begins(self)
            self.profiling_start_time_ns = rows.now_ns()
        except BaseException:
            self._recordings.close()
            raise

    def create_trace_id(self) -> str:
        """The user's name for this trace, or a new one."""
        return self.custom_trace_id_callback() if self.custom_trace_id_callback else self.default_trace_id()

    def default_trace_id(self) -> str:
        return new_trace_id()

    def toggle_collection_dynamic(self, enabled: bool, activities) -> None:
        """Leave out what happens from now on, or take it in again."""
        activities = set(activities)
        if not isinstance(enabled, int) or not all(isinstance(a, ProfilerActivity) for a in activities):
            raise TypeError("_toggle_collection_dynamic(): incompatible function arguments. The following argument "
                            "types are supported:\n    1. (arg0: bool, arg1: collections.abc.Set[torch._C._profiler."
                            f"ProfilerActivity]) -> None\n\nInvoked with: {enabled!r}, {activities!r}")
        if ProfilerActivity.CPU in activities:
            self._recordings.pause(not enabled)
        if activities & self.kineto_activities - {ProfilerActivity.CPU}:
            self._recordings.pause(not enabled, of_device=True)


def _threads(config: _ExperimentalConfig) -> ThreadChoice | None:
    """What torch's switch asks for; where it is not touched, nothing was asked, and all threads are shown."""
    asked = config.profile_all_threads
    return None if asked is UNSAID else ThreadChoice("all" if asked else "current")
