"""torch.profiler.profile: steps and schedules."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import partial

from . import endings
from .activities import ProfilerActivity
from .config import _ProfilerStats
from .device_stopped import following_action
from .execution_trace_observer import ExecutionTraceObserver
from .holding import Holding
from .kineto_profile import _KinetoProfile
from .mistakes import schedule_mistake
from .record_function import record_function
from .schedule import ProfilerAction, always
from .step_tracker import KinetoStepTracker, daemon_listens
from .thread_choice import ThreadChoice
from .warn_once import _warn_once

PROFILER_STEP_NAME = "ProfilerStep"
NONE, WARMUP, RECORD, SAVE, STOPPED = ProfilerAction
CLEARED = ("Warning: Profiler clears events at the end of each cycle. Only events from the current cycle will be "
           "reported. To keep events across cycles, set acc_events=True.")


class profile(_KinetoProfile):  # noqa: N801 - torch's name
    """Profile a block, or chosen steps of a loop that calls ``step()``."""

    __module__ = "mindtorch_v2.profiler.profiler"

    def __init__(self, *, activities: Iterable | None = None,
                 schedule: Callable[[int], ProfilerAction] | None = None,  # noqa: A002 - torch's names
                 on_trace_ready: Callable | None = None, record_shapes: bool = False, profile_memory: bool = False,
                 with_stack: bool = False, with_flops: bool = False, with_modules: bool = False,
                 experimental_config=None, execution_trace_observer=None, acc_events: bool = False,
                 use_cuda: bool | None = None, custom_trace_id_callback: Callable[[], str] | None = None,
                 post_processing_timeout_s: float | None = None, max_events: int | None = None,
                 max_bytes: int | None = None, overflow: str = "newest", threads=None) -> None:
        if use_cuda is not None:
            warnings.warn("`use_cuda` is deprecated, use `activities` argument instead", FutureWarning, stacklevel=2)
            if activities is None:
                activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if use_cuda else [])
        observer = execution_trace_observer or ExecutionTraceObserver.build_execution_trace_obs_from_env()
        super().__init__(
            activities=activities, record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack,
            with_flops=with_flops, with_modules=with_modules, experimental_config=experimental_config,
            execution_trace_observer=observer, acc_events=acc_events, custom_trace_id_callback=custom_trace_id_callback,
            post_processing_timeout_s=post_processing_timeout_s)
        self._holding = Holding.of(max_events, max_bytes, overflow, profile_memory)
        self._threads = None if threads is None else ThreadChoice(threads)
        self.schedule = always if schedule is None else schedule
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.step_rec_fn: record_function | None = None
        self.current_action = self._scheduled_now = self._scheduled(0)
        self.action_map = self._actions()
        self._cycles = self._saved = 0  # cycles begun, cycles handed over
        self._first_step = 0
        self._stopped = True

    def _actions(self) -> dict[tuple, list[Callable]]:
        """What each change of action brings with it; torch's table."""
        prepare, start, stop, ready = self.prepare_trace, self.start_trace, self.stop_trace, self._trace_ready
        wrong = {pair: partial(self._warn_of_order, *pair)
                 for pair in ((WARMUP, NONE), (RECORD, NONE), (RECORD, WARMUP))}
        return {
            (NONE, NONE): [], (NONE, WARMUP): [prepare],
            (NONE, RECORD): [prepare, start], (NONE, SAVE): [prepare, start],
            (WARMUP, NONE): [wrong[WARMUP, NONE], start, stop], (WARMUP, WARMUP): [],
            (WARMUP, RECORD): [start], (WARMUP, SAVE): [start],
            (RECORD, NONE): [wrong[RECORD, NONE], stop],
            # torch does not get ready again here, and crashes when recording resumes.
            (RECORD, WARMUP): [wrong[RECORD, WARMUP], stop, prepare], (RECORD, RECORD): [], (RECORD, SAVE): [],
            (SAVE, NONE): [stop, ready], (SAVE, WARMUP): [stop, ready, prepare],
            (SAVE, RECORD): [stop, ready, prepare, start], (SAVE, SAVE): [stop, ready, prepare, start],
            (NONE, None): [], (WARMUP, None): [start, stop], (RECORD, None): [stop, ready], (SAVE, None): [stop, ready],
            (WARMUP, STOPPED): [start, stop, ready], (RECORD, STOPPED): [stop, ready], (STOPPED, STOPPED): [],
            (STOPPED, WARMUP): [prepare], (STOPPED, NONE): [], (STOPPED, RECORD): [prepare, start],
            (STOPPED, SAVE): [prepare, start], (STOPPED, None): [],
            **{(before, STOPPED): [partial(_unreachable_transition, before.name, STOPPED.name)]
               for before in (NONE, SAVE)},
        }

    def _warn_of_order(self, before: ProfilerAction, after: ProfilerAction) -> None:
        self._incorrect = True
        warnings.warn(f"Incorrect schedule: {before.name} followed by {after.name}", stacklevel=4)

    def _scheduled(self, step: int) -> ProfilerAction:
        action = self.schedule(step)
        if not isinstance(action, ProfilerAction):
            raise TypeError(f"a schedule returns a ProfilerAction for each step, but this one returned {action!r} for "
                            f"step {step}; torch.profiler.schedule() makes one that fits")
        if action is STOPPED:
            raise ValueError("ProfilerAction.DEVICE_STOPPED is set internally by the profiler and must not be returned "
                             "by a user-provided schedule")
        return action

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        if exc_type is None:
            self.stop()
            return
        self._failed = True
        try:
            self.stop()
        except Exception as failure:  # what failed in the block is what the user must see
            warnings.warn(f"on_trace_ready failed: {failure!r}", stacklevel=2)

    def start(self) -> None:
        """Begin with the first step."""
        self._stopped = self._failed = self._incorrect = False
        self._first_step, self._saved = self.step_num, 0
        if self.current_action is STOPPED:  # what stopped belonged to the run before
            self.current_action = self._scheduled_now
        KinetoStepTracker.init_step_count(PROFILER_STEP_NAME)
        try:
            endings.begins(self)
            self._transit_action(NONE, self.current_action)
            self._open_step()
        except BaseException:  # a profile that did not start must not go on recording
            endings.ends(self)
            self._record_no_more()
            raise

    def stop(self) -> None:
        """End the profile; a second call finds nothing to end."""
        self._close_step()
        if self.profiler is None and self.current_action is not NONE:
            raise AssertionError("Profiler must be initialized before stopping trace")
        try:
            if endings.ends(self):
                self._end()
        finally:  # wherever a Ctrl-C came: a profile that was stopped records no more
            self._record_no_more()

    def _end(self) -> None:
        self._stopped = True
        KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)
        asked = self.record_steps and not (self._saved or self._failed or self._incorrect)
        self._transit_action(self.current_action, None)
        if self.execution_trace_observer is not None:
            self.execution_trace_observer.cleanup()
        mistake = asked and schedule_mistake(self.schedule, self.step_num - self._first_step, self.current_action)
        if mistake:
            warnings.warn(mistake, stacklevel=4)

    def _record_no_more(self) -> None:
        if self.profiler is not None:
            self.profiler._recordings.close()

    def step(self) -> None:
        """Say that the next step begins."""
        self._close_step()
        scheduled = self._scheduled(self.step_num + 1)
        following = following_action(self.current_action, scheduled, self._scheduled_now, self.use_device)
        before, self.current_action, self._scheduled_now = self.current_action, following, scheduled
        self.step_num += 1
        if daemon_listens():
            KinetoStepTracker.increment_step(PROFILER_STEP_NAME)
        if not self._stopped:
            self._transit_action(before, following)
            self._open_step()

    def _open_step(self) -> None:
        if self.record_steps:
            self.step_rec_fn = record_function(f"{PROFILER_STEP_NAME}#{self.step_num}")
            self.step_rec_fn.__enter__()

    def _close_step(self) -> None:
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None

    def _transit_action(self, prev_action, current_action) -> None:
        actions, failed = self.action_map[prev_action, current_action], None
        if not actions:
            return
        with endings.transition():
            for action in actions:
                try:
                    action()
                except BaseException as failure:  # the handler's, mostly: the next cycle must begin all the same
                    failed = failed or failure
        if failed is not None:
            raise failed

    def _trace_ready(self) -> None:
        self._saved += 1
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def start_trace(self) -> None:
        """Begin a cycle."""
        self._cycles += 1
        if self._cycles > 1 and not self.acc_events:
            _warn_once(CLEARED, stacklevel=5)
        super().start_trace()

    def set_custom_trace_id_callback(self, callback) -> None:
        """Let the user name the traces."""
        self.custom_trace_id_callback = callback

    def get_trace_id(self) -> str | None:
        """The name of the current trace."""
        return None if self.profiler is None else self.profiler.trace_id

    def _stats(self) -> _ProfilerStats | None:
        """How long the profile and its parts took."""
        return None if self.profiler is None else self.profiler._stats


def _unreachable_transition(prev: str, current: str) -> None:
    raise RuntimeError(f"Profiler internal error: {prev} -> {current} should be unreachable")
