"""What to do with a trace that is ready."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable


def tensorboard_trace_handler(dir_name, worker_name: str | None = None, use_gzip: bool = False) -> Callable:
    """A handler that writes every trace into a folder, under a name that says where and when it was taken."""

    def handler_fn(prof) -> None:
        try:
            os.makedirs(dir_name, exist_ok=True)
        except OSError as error:
            raise RuntimeError("Can't create directory: " + str(dir_name)) from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        ending = ".pt.trace.json" + (".gz" if use_gzip else "")
        prof.export_chrome_trace(_unused(dir_name, worker, ending))

    return handler_fn


def _unused(dir_name, worker: str, ending: str) -> str:
    """A path that no other trace has, even where the clock is coarse."""
    while True:
        path = os.path.join(os.fspath(dir_name), f"{worker}.{time.time_ns()}{ending}")
        if not os.path.exists(path):
            return path
