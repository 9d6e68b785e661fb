"""torch's profiler and its observer of executions without an object to hold: the functions of torch._C."""

from __future__ import annotations

import threading

from ...core.user_warning import warn_user
from ...record.layout import USER_SCOPE
from ...record.plain_text import exact_text
from ..export import chrome
from ..kineto.kinds import ActiveProfilerType
from ..kineto.recorded import Recorded
from ..kineto.result import _ProfilerResult
from ..table.event_table import Window, empty
from . import active
from .activities import ProfilerActivity, device_of
from .autograd_profile import profile
from .config import ProfilerConfig
from .execution_trace_observer import ExecutionTraceObserver
from .metadata import _checked_metadata
from .record_function import _RecordFunctionFast


class _Own(threading.local):
    """What a thread has begun through these functions."""

    profile: profile | None = None
    filters: dict | None = None


_own = _Own()
NAMELESS = chrome.Trace("", "", {})
_observer = ExecutionTraceObserver()


def _prepare_profiler(config: ProfilerConfig, activities: set, activity_filter: dict | None = None) -> None:
    """Check the wishes, and keep the filter for the profile that is enabled next; nothing else needs time."""
    if not config.state.name.startswith("KINETO"):
        raise RuntimeError("Supported only in Kineto profiler")
    _own.filters = activity_filter


def _enable_profiler(config: ProfilerConfig, activities: set, scopes: set = frozenset()) -> None:
    """Record from now on; with ``scopes``, events of these kinds alone."""
    if _own.profile is not None:
        raise RuntimeError("Profiler is already enabled on this thread.")
    if not activities:
        raise RuntimeError("No activities specified.")
    _prepare_profiler(config, activities, _own.filters)  # torch crashes where that was forgotten
    started = profile(record_shapes=config.report_input_shapes, profile_memory=config.profile_memory,
                   with_stack=config.with_stack, with_flops=config.with_flops, with_modules=config.with_modules,
                   use_cpu=ProfilerActivity.CPU in activities, use_kineto=True,
                   use_device=device_of({ProfilerActivity.PrivateUse1}.intersection(activities)),
                   activity_filters=_own.filters,
                   experimental_config=config.experimental_config,
                   custom_trace_id_callback=(lambda: config.trace_id) if config.trace_id else None)
    started._only(scopes)
    started.__enter__()
    _own.profile, _own.filters = started, None


def _disable_profiler() -> _ProfilerResult:
    """Stop recording, and hand out the results; empty ones if nothing was begun on this thread."""
    stopped, _own.profile = _own.profile, None
    if stopped is None:
        warn_user("disableProfiler called but no active profiling session found.")
        nothing = empty([], [], Window())
        return _ProfilerResult(Recorded(nothing), lambda path, _: chrome.export_table(nothing, NAMELESS, path))
    stopped.__exit__(None, None, None)
    return stopped.kineto_results


def _profiler_enabled() -> bool:
    """Whether a profile records."""
    return active.latest() is not None


def _profiler_type() -> ActiveProfilerType:
    """Of which kind the profile is that records."""
    running = active.latest()
    if running is None:
        return ActiveProfilerType.NONE
    return ActiveProfilerType.KINETO if running.profiler_kind.name.startswith("KINETO") else ActiveProfilerType.LEGACY


def _add_metadata_json(key: str, value: str) -> None:
    """Put a piece of JSON into the trace of the profile that records; torch, too, forgets it if there is none."""
    running = active.latest()
    if isinstance(running, profile):
        running._metadata[exact_text(key)] = _checked_metadata(key, value)


def _toggle_collection_dynamic(enable: bool, activities: set) -> None:
    """Switch collection off and on again in the profile that records."""
    running = active.latest()
    if isinstance(running, profile):
        running.toggle_collection_dynamic(enable, activities)


def _record_function_with_args_enter(name: str, *args) -> _RecordFunctionFast:
    """Begin a range with values; what is returned ends it."""
    if not isinstance(name, str):
        raise TypeError("_record_function_with_args_enter(): incompatible function arguments. The following argument "
                        f"types are supported:\n    1. (arg0: str, *args) -> object\n\nInvoked with: {name!r}")
    entered = _RecordFunctionFast(name, args)
    entered._scope = USER_SCOPE
    return entered.__enter__()


def _record_function_with_args_exit(handle: _RecordFunctionFast) -> None:
    """End such a range."""
    if not isinstance(handle, _RecordFunctionFast):
        raise RuntimeError("_record_function_with_args_exit() wants what _record_function_with_args_enter() returned, "
                           f"but got {handle!r}")
    handle.__exit__(None, None, None)


def _add_execution_trace_observer(output_file_name: str) -> bool:
    """Name the file of the process's execution trace."""
    if _observer.is_registered:
        warn_user("Execution trace observer is already registered.")
    _observer.register_callback(output_file_name)
    return True


def _remove_execution_trace_observer() -> None:
    """Write that file."""
    if not _observer.is_registered:
        warn_user("Execution trace observer was not initialized.")
    _observer.unregister_callback()


def _enable_execution_trace_observer() -> None:
    """Observe from now on."""
    _observer.start()


def _disable_execution_trace_observer() -> None:
    """Observe no more for now."""
    _observer.stop()
