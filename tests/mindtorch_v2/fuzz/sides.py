"""The processes that perform calls; one that crashes or hangs is replaced, and the call that did it is told."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

SECONDS_PER_CALL = 20


class Side:
    """One library in a process of its own, which is started again when a call ends it."""

    def __init__(self, library: str, python: str = sys.executable):
        self.library = library
        self.python = python
        self.process: subprocess.Popen | None = None
        self.rest = b""

    def ask(self, call: dict) -> None:
        """Hand over a call; ``answer`` must follow."""
        if self.process is None:
            self._start()
        try:
            self.process.stdin.write(json.dumps(call).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has died; answer() tells

    def perform(self, call: dict) -> dict:
        self.ask(call)
        return self.answer()

    def answer(self) -> dict:
        deadline = time.monotonic() + SECONDS_PER_CALL
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(left, 0))
            if not ready:
                self.stop()
                return {"hang": f"no answer in {SECONDS_PER_CALL} s"}
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                code = self.process.wait()
                self.stop()
                return {"crash": f"exit code {code}"}
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def _start(self) -> None:
        worker = Path(__file__).with_name("worker.py")
        self.process = subprocess.Popen([self.python, str(worker), self.library], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.rest = b""

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *exc) -> None:
        self.stop()
