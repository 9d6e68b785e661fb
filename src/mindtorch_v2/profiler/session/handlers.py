"""What to do with a trace that is ready."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .kineto_profile import _KinetoProfile


def tensorboard_trace_handler(dir_name, worker_name: str | None = None, use_gzip: bool = False,
                              use_python_export: bool = False) -> Callable:
    """A handler that writes every trace into a folder, under a name that says where and when it was taken.

    The traces are for TensorBoard's plugin, which counts DataLoaders only if they are ops, and follows links from
    forward to backward only by the name they had in an earlier PyTorch: ``forward_backward`` stands beside ``fwdbwd``.
    """

    def handler_fn(prof) -> None:
        try:
            os.makedirs(dir_name, exist_ok=True)
        except OSError as error:
            raise RuntimeError("Can't create directory: " + str(dir_name)) from error
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        ending = ".pt.trace.json" + (".gz" if use_gzip else "")
        with _unused(os.fsdecode(dir_name), worker, ending) as path:
            if getattr(type(prof), "export_chrome_trace", None) is _KinetoProfile.export_chrome_trace:
                prof._export_trace(path, for_tensorboard=True)
            else:  # a program's own profile, or what stands for one
                prof.export_chrome_trace(path, use_python_export=use_python_export)

    return handler_fn


@contextmanager
def _unused(folder: str, worker: str, ending: str) -> Iterator[str]:
    """A path that no other trace has: not those of other threads and processes, not where the clock is coarse.

    While a trace is written its name is taken by a hidden file, which only one of several writers can create; once
    the hidden file is gone the trace itself is there.
    """
    at_ns = time.time_ns()
    while True:
        name = f"{worker}.{at_ns}{ending}"
        path, taken = os.path.join(folder, name), os.path.join(folder, f".{name}.taken")
        try:
            os.close(os.open(taken, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            at_ns += 1
            continue
        try:
            if not os.path.exists(path):
                yield path
                return
        finally:
            os.unlink(taken)
        at_ns += 1
