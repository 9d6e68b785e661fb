"""torch.profiler.profile: steps and schedules."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable
from functools import partial

from ...core.user_warning import users_line, warn_user
from ...record.interrupts import interruptible, uninterrupted
from ...record.locks import new_lock
from . import endings
from .activities import ProfilerActivity
from .callbacks import Callbacks
from .config import _ProfilerStats
from .device_stopped import following_action
from .execution_trace_observer import ExecutionTraceObserver
from .idle_step import take_idle_step
from .kineto_profile import ALREADY_RUNNING, _KinetoProfile
from .mistakes import schedule_mistake, shown_cycle
from .pickled import RECORDING
from .record_function import record_function
from .recording_limits import RecordingLimits
from .schedule import ProfilerAction, Schedule, always
from .step_tracker import KinetoStepTracker, daemon_listens
from .thread_choice import ThreadChoice
from .transitions import BEGINNING, INCORRECT, NONE, STOPPED, TRANSITIONS, UNREACHABLE, _unreachable_transition
from .warn_once import warn_once

PROFILER_STEP_NAME = "ProfilerStep"
MOST_UNSAVED = 4  # cycles that are kept because their handler failed
CLEARED = ("Warning: Profiler clears events at the end of each cycle. Only events from the current cycle will be "
           "reported. To keep events across cycles, set acc_events=True.")
KEPT = ("What it was to get is kept: prof.unsaved[-1] is a profile of that cycle, with events(), key_averages() and "
        f"export_chrome_trace(), and so on for the {MOST_UNSAVED} newest.")
KEPT_WITH_ALL = "What it was to get is kept among the events of the profile."


class profile(_KinetoProfile):  # noqa: N801 - torch's name
    """Profile a block, or chosen steps of a loop that calls ``step()``.

    ::

        with torch.profiler.profile(record_shapes=True) as prof:
            train()
        print(prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=10))
        prof.report("report.html")

    What is recorded:

    activities: What to profile: ``ProfilerActivity.CPU``, and that of a device with a queue of its own. By default
        everything that is there.
    record_shapes: The shapes, types and values of inputs, for ``key_averages(group_by_input_shape=True)``.
    profile_memory: Every allocation and release, with the op that made it.
    with_stack: Python's calls on every thread. Ops then have stacks, and findings name lines. It costs most.
    with_flops: FLOPs of products and convolutions. It records shapes, too.
    with_modules: Calls of modules, for time, memory and FLOPs by qualified name (``blocks.0.attn``), without stacks.
    with_cpu_time: How long threads really ran, beside how long calls lasted: what only waits is told from what works. A
        thread's processor time is read at most every 0.1 ms; calls in between share it evenly.
    threads: The threads to show: ``"all"`` (the default), ``"current"``, a thread, its number or its name, or a list
        of these. In a notebook ``"current"`` leaves out the threads of the server.
    execution_trace_observer: An ``ExecutionTraceObserver`` that writes which op was given which values; it starts and
        stops with the profile.
    experimental_config: torch's ``_ExperimentalConfig``; those of its switches that concern GPUs have no effect.

    When, and what becomes of it:

    schedule: A function from the number of a step to a ``ProfilerAction``, as ``torch.profiler.schedule()`` makes one.
        The loop calls ``step()`` at the end of each step. By default everything from start to stop is recorded.
    on_trace_ready: Called with the profile when a cycle of the schedule is complete, or at the end without a schedule.
        ``tensorboard_trace_handler(folder)`` makes one that writes traces.
    acc_events: Keep the events of all cycles. By default each cycle replaces the one before.
    callback_errors: ``"warn"`` (the default) lets the program go on when ``on_trace_ready`` or another function of the
        user's fails; ``"raise"`` raises the error, as PyTorch does.
    custom_trace_id_callback: Returns the id of a trace. By default ids are random.
    post_processing_timeout_s: Seconds after which ``events()`` stops working events out and shows the first ones.
    use_cuda: Deprecated by torch; use ``activities``.

    Limits and safety:

    max_events: The most events to hold in memory, of all threads together. By default there is no limit.
    max_bytes: The same in bytes. If both are given, the tighter limit holds.
    overflow: What happens beyond the limit: ``"newest"`` keeps the newest events, ``"first"`` the first ones, and
        ``"spill"`` moves older ones to disk, so that all are kept. ``dropped_events`` counts what was lost.
    crash_safe: Also write the recording to disk, every half second: ``torch.profiler.load(folder)`` reads it after
        the process was killed.
    folder: Where ``crash_safe`` and ``overflow="spill"`` write. By default a temporary folder (``prof.folder``)
        that is removed when the program ends, unless it is killed.
    """

    __module__ = "mindtorch_v2.profiler.profiler"

    def __init__(self, *, activities: Iterable | None = None,
                 schedule: Callable[[int], ProfilerAction] | None = None,  # noqa: A002 - torch's names
                 on_trace_ready: Callable | None = None, record_shapes: bool = False, profile_memory: bool = False,
                 with_stack: bool = False, with_flops: bool = False, with_modules: bool = False,
                 experimental_config=None, execution_trace_observer=None, acc_events: bool = False,
                 use_cuda: bool | None = None, custom_trace_id_callback: Callable[[], str] | None = None,
                 post_processing_timeout_s: float | None = None, max_events: int | None = None,
                 max_bytes: int | None = None, overflow: str = "newest", crash_safe: bool = False,
                 folder: str | os.PathLike | None = None, threads=None, callback_errors: str = "warn",
                 with_cpu_time: bool = False) -> None:
        if use_cuda is not None:
            warn_user("`use_cuda` is deprecated, use `activities` argument instead", FutureWarning)
            if activities is None:
                activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if use_cuda else [])
        observer = execution_trace_observer or ExecutionTraceObserver.build_execution_trace_obs_from_env()
        super().__init__(
            activities=activities, record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack,
            with_flops=with_flops, with_modules=with_modules, experimental_config=experimental_config,
            execution_trace_observer=observer, acc_events=acc_events, custom_trace_id_callback=custom_trace_id_callback,
            post_processing_timeout_s=post_processing_timeout_s)
        self._callbacks = Callbacks(callback_errors)
        self._limits = RecordingLimits.of(max_events, max_bytes, overflow, profile_memory, crash_safe, folder)
        self._threads = None if threads is None else ThreadChoice(threads)
        self.with_cpu_time = with_cpu_time
        self.schedule = always if schedule is None else schedule
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.unsaved: list[profile] = []
        self.step_num = 0
        self.step_rec_fn: record_function | None = None
        self.current_action = self._scheduled_now = self._scheduled(0)
        self._changing = new_lock()  # held while the profile goes from one state to the next
        self._running = self._failed = self._incorrect = self._schedule_failed = False
        self._cycles = self._saved = 0  # cycles begun, cycles finished
        self._first_step = 0
        self._is_counted = False

    @property
    def action_map(self) -> dict[tuple, list[Callable]]:
        """What each change of action brings with it, as torch shows it."""
        actions = {pair: [getattr(self, name) for name in names] for pair, names in TRANSITIONS.items()}
        return actions | {pair: [partial(_unreachable_transition, *(action.name for action in pair))]
                          for pair in UNREACHABLE}

    def _scheduled(self, step: int) -> ProfilerAction:
        is_own = type(self.schedule) is Schedule  # at once; the user's is nobody's to hold signals back for
        action = self.schedule(step) if is_own else interruptible(self.schedule, step)
        if not isinstance(action, ProfilerAction):
            raise TypeError(f"a schedule returns a ProfilerAction for each step, but this one returned {action!r} for "
                            f"step {step}; torch.profiler.schedule() makes one that fits")
        if action is STOPPED:
            raise DeviceStoppedError(
                "ProfilerAction.DEVICE_STOPPED is set internally by the profiler and must not be returned by a "
                "user-provided schedule")
        return action

    def __getstate__(self) -> dict:
        state = super().__getstate__()
        del state["_changing"]
        return state

    def __setstate__(self, state: dict) -> None:
        vars(self).update(state, _changing=new_lock())
        self.schedule = self.schedule or always

    def _refuse_copy(self) -> None:
        super()._refuse_copy()
        shown = self._finished or self.profiler
        if self._running and (shown is None or not shown._recordings.started):
            raise TypeError(RECORDING)  # its schedule has not come to record yet

    def _state_of_copy(self) -> dict:
        ended = {"_running": False, "step_rec_fn": None, "current_action": NONE} if self._running else {}
        return {**super()._state_of_copy(), "_callbacks": self._callbacks.fresh(), "_changing": new_lock(),
                "unsaved": list(self.unsaved), **ended}

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
            warn_user(f"on_trace_ready failed: {failure!r}")

    def start(self) -> None:
        """Begin with the first step."""
        with self._changing:
            if self._running:
                raise RuntimeError(ALREADY_RUNNING)
            try:
                self._begin()
            except BaseException:  # a profile that did not start must not go on recording
                self._running = False
                self._rest()
                raise
            finally:
                self._callbacks.tell()

    @uninterrupted
    def _begin(self) -> None:
        self._failed = self._incorrect = self._schedule_failed = False
        self._first_step, self._saved = self.step_num, 0
        self._is_counted = daemon_listens()  # also of steps in which nothing else is to be done
        if self.current_action is STOPPED:  # what stopped belonged to the run before
            self.current_action = self._scheduled_now
        self._running, self._callbacks.begun_at = True, users_line()
        endings.begins(self)
        KinetoStepTracker.init_step_count(PROFILER_STEP_NAME)
        self._transit_action(NONE, self.current_action)
        self._open_step()

    def stop(self) -> None:
        """End the profile; a second call finds nothing to end."""
        if self.profiler is None and self.current_action is not NONE:
            raise AssertionError("Profiler must be initialized before stopping trace")
        self._stop_if_running()

    def _stop_if_running(self) -> bool:
        """Whether there was something to stop; if another thread is about to do that, it is waited for."""
        with self._changing:
            was_running = self._running
            try:
                self._end() if was_running else self._rest()
            finally:
                self._callbacks.tell()
        return was_running

    @uninterrupted
    def _end(self) -> None:
        try:
            self._running = False
            self._close_step()
            KinetoStepTracker.erase_step_count(PROFILER_STEP_NAME)
            self._judge_schedule()
            self._transit_action(self.current_action, None)
            self._observe("cleanup")
        except Exception as error:
            self._callbacks.note("The profiler", error, "The profile has ended.")
        finally:
            if not self._running:  # the handler may have started it again
                self._rest()

    def _rest(self) -> None:
        """Whatever was interrupted before: the profile records no more, and nobody waits for its end."""
        self._record_no_more()
        endings.ends(self)

    def _judge_schedule(self) -> None:
        """Say what became of the schedule."""
        if not self.record_steps or self._incorrect:
            return
        steps, message = self.step_num - self._first_step, None
        if self._saved and self.on_trace_ready is None and not self.acc_events:
            message = shown_cycle(self.schedule, self._saved, steps, self.current_action)
        elif not self._saved and not self._failed:
            message = schedule_mistake(self.schedule, steps, self.current_action)
        if message:
            self._callbacks.tell_later(message)

    def step(self) -> None:
        """Say that the next step begins."""
        with self._changing:
            try:
                if not take_idle_step(self):
                    self._take_step()
            finally:
                self._callbacks.tell()

    @uninterrupted
    def _take_step(self) -> None:
        self._close_step()
        scheduled = self._next_scheduled()
        following = following_action(self.current_action, scheduled, self._scheduled_now, self.use_device)
        before, self.current_action, self._scheduled_now = self.current_action, following, scheduled
        self.step_num += 1
        if daemon_listens():
            KinetoStepTracker.increment_step(PROFILER_STEP_NAME)
        if not self._running:
            return
        if self._schedule_failed:
            self._end()
            return
        try:
            self._transit_action(before, following)
        except Exception as error:
            self._callbacks.note("The profiler", error, "The profile has ended.")
            self._end()
        finally:
            self._open_step()

    def _next_scheduled(self) -> ProfilerAction:
        """What the schedule wants done next; one that fails is not asked again."""
        if not self._schedule_failed:
            try:
                return self._scheduled(self.step_num + 1)
            except DeviceStoppedError:
                raise
            except Exception as error:
                self._callbacks.note("The schedule", error, "The profile ends with this step, as by stop().")
                self._schedule_failed = self._failed = True
        return self._scheduled_now

    def _open_step(self) -> None:
        if self.record_steps and self._running:
            self.step_rec_fn = record_function(f"{PROFILER_STEP_NAME}#{self.step_num}")
            self.step_rec_fn.__enter__()

    def _close_step(self) -> None:
        if self.step_rec_fn is not None:
            self.step_rec_fn.__exit__(None, None, None)
            self.step_rec_fn = None

    def _transit_action(self, prev_action, current_action) -> None:
        """Do what a change of action brings with it, all of it even where a part fails; the first failure is raised."""
        pair, failure = (prev_action, current_action), None
        if pair in UNREACHABLE:
            _unreachable_transition(prev_action.name, current_action.name)
        if pair in INCORRECT:
            self._incorrect = True
            self._callbacks.tell_later(f"Incorrect schedule: {prev_action.name} followed by {current_action.name}")
        for name in TRANSITIONS[pair]:
            if name in BEGINNING and not self._running:
                break  # the handler stopped the profile
            try:
                getattr(self, name)()
            except BaseException as raised:
                failure = failure or raised
                if name in BEGINNING:
                    break
        if failure is not None:
            try:
                raise failure
            finally:
                failure = None  # its traceback holds this frame

    def _unprepare(self) -> None:
        """Give up a cycle that was only prepared: the finished one is shown, or one without events, as in torch."""
        if self._finished is not None:
            self.profiler, self._finished = self._finished, None
        elif not self.profiler._recordings.started:
            self.start_trace()
            self.stop_trace()

    def _trace_ready(self) -> None:
        self._saved += 1
        if self.on_trace_ready is None:
            return
        handed_over = False
        try:
            handed_over = self._callbacks.call("on_trace_ready", self.on_trace_ready, self,
                                               consequence=KEPT_WITH_ALL if self.acc_events else KEPT)
        except KeyboardInterrupt:
            endings.interrupted(self._of_this_cycle())
            raise
        finally:
            if not handed_over and not self.acc_events:
                self.unsaved = [*self.unsaved[1 - MOST_UNSAVED:], self._of_this_cycle()]

    def _of_this_cycle(self) -> profile:
        """A profile that has ended and shows what this one shows now."""
        kept = copy.copy(self)
        kept._running, kept.step_rec_fn, kept.current_action, kept.unsaved = False, None, NONE, []
        return kept

    def _hand_over_again(self) -> None:
        """Call the handler when the program ends, if it was broken off before."""
        self._callbacks.call("on_trace_ready", self.on_trace_ready, self, consequence="The trace is lost.")
        self._callbacks.tell()

    def start_trace(self) -> None:
        """Begin a cycle."""
        self._cycles += 1
        if self._cycles > 1 and not self.acc_events:
            self._callbacks.tell_later(CLEARED, partial(warn_once, otherwise=self._callbacks.begun_at))
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


class DeviceStoppedError(ValueError):
    """A schedule returned what only the profiler sets; torch raises this out of step()."""
