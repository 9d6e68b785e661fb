"""ExecutionTraceObserver: writes what ran, with every input and output, as PyTorch's execution trace."""

from __future__ import annotations

import atexit
import errno
import os
import tempfile
import weakref
from abc import ABC, abstractmethod

from ...core.user_warning import warn_user
from ..export import execution_trace
from .execution_recording import ExecutionRecording


class _ITraceObserver(ABC):
    """What a profile asks of an observer that goes along with it."""

    @abstractmethod
    def start(self):
        """Begin to observe."""

    @abstractmethod
    def stop(self):
        """Observe no more for now."""

    @abstractmethod
    def cleanup(self):
        """Finish."""


class ExecutionTraceObserver(_ITraceObserver):
    """Observes between ``start`` and ``stop``, as often as wanted; ``unregister_callback`` writes the file.

    torch has one observer per process and dies when a second one starts; here each has its own file.
    """

    __module__ = "mindtorch_v2.profiler.profiler"

    def __init__(self) -> None:
        self._registered = False
        self._execution_trace_running = False
        self.extra_resources_collection = False
        self.resources_dir = ""
        self.output_file_path = ""
        self.output_file_path_observer = ""
        self._recording: ExecutionRecording | None = None

    def __del__(self) -> None:
        self.unregister_callback()

    @staticmethod
    def build_execution_trace_obs_from_env() -> ExecutionTraceObserver | None:
        """An observer with a file of its own, if the environment asks for one."""
        if os.environ.get("ENABLE_PYTORCH_EXECUTION_TRACE", "0") != "1":
            return None
        handle, path = tempfile.mkstemp(".et.json")
        os.close(handle)
        observer = ExecutionTraceObserver().register_callback(path)
        observer.set_extra_resource_collection(os.environ.get("ENABLE_PYTORCH_EXECUTION_TRACE_EXTRAS", "0") == "1")
        return observer

    def set_extra_resource_collection(self, val) -> None:
        """Keep a folder beside the file for whatever belongs to the trace."""
        self.extra_resources_collection = val
        if val:
            self.resources_dir = self.get_resources_dir(can_create=True) or ""

    def register_callback(self, output_file_path: str) -> ExecutionTraceObserver:
        """Say which file to write."""
        if not self._registered:
            folder = os.path.dirname(os.path.abspath(output_file_path))
            if not os.path.isdir(folder):  # found out at the end, the trace would be lost
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
            self.output_file_path = self.output_file_path_observer = os.fspath(output_file_path)
            self._registered = True
            self._recording, self._pid = ExecutionRecording(), os.getpid()
            _registered.add(self)
            if self.extra_resources_collection:
                self.set_extra_resource_collection(True)
        return self

    def get_resources_dir(self, can_create=False) -> str | None:
        """The folder beside the file, if one is kept."""
        if not self.extra_resources_collection or not self.output_file_path:
            return None
        return self.get_resources_dir_for_et_path(self.output_file_path, create_dir=can_create)

    @staticmethod
    def get_resources_dir_for_et_path(trace_path, create_dir: bool = False) -> str | None:
        """The folder that belongs to a trace file; None if it is not there and cannot be made."""
        folder, name = os.path.split(trace_path)
        path = os.path.join(folder, os.path.splitext(name)[0] + "_resources")
        if os.path.isdir(path):
            return path
        if not create_dir:
            return None
        try:
            os.mkdir(path)
        except OSError:
            warn_user(f"Execution trace exception when creating {path}")
            return None
        return path

    def unregister_callback(self) -> None:
        """Stop, and write the file."""
        if not self._registered:
            return
        self.stop()
        self._registered = False
        recording, self._recording = self._recording, None
        if self._pid == os.getpid():  # a forked child leaves its parent's file alone
            execution_trace.write(recording.trace(), self.output_file_path)

    @property
    def is_registered(self) -> bool:
        """Whether a file is going to be written."""
        return self._registered

    def is_running(self) -> bool:
        """Whether ops are being observed."""
        return self._execution_trace_running

    def start(self) -> None:
        """Observe from now on."""
        if self._registered and not self._execution_trace_running:
            self._execution_trace_running = True
            try:
                self._recording.open()
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """Observe no more, until the next start."""
        if self._execution_trace_running:
            self._execution_trace_running = False
            self._recording.close()

    def cleanup(self) -> None:
        """Write the file, if that has not been done."""
        self.unregister_callback()

    def get_output_file_path(self) -> str | None:
        """The file that is or was written."""
        return self.output_file_path or None


_registered: weakref.WeakSet[ExecutionTraceObserver] = weakref.WeakSet()


@atexit.register
def _write_at_exit() -> None:
    for observer in list(_registered):
        observer.cleanup()
