"""Threads that share a loop of a kernel: as many as were set, gone in forked children, for one caller at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from mindtorch_v2.devices.cpu import pointwise, pool

LARGE = 1_000_000
compiled = pytest.mark.skipif(pool.__file__.endswith(".py"), reason="only compiled kernels share their loops")


@pytest.fixture(autouse=True)
def number_as_before():
    before = pool.get_threads()
    yield
    pool.set_threads(before)


def doubled(x: np.ndarray) -> bool:
    out = np.empty_like(x)
    pointwise.add(out, x, x)
    return bool((out == 2 * x).all())


@compiled
def test_number_is_what_was_set():
    for count in (1, 3):
        pool.set_threads(count)
        assert pool.get_threads() == count


def test_more_threads_than_processors_give_the_same_result():
    pool.set_threads(7)
    assert all(doubled(np.arange(n, dtype=np.float32)) for n in (0, 1, 32_768, 32_769, LARGE))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_threads_of_its_own():
    pool.set_threads(4)
    assert doubled(np.arange(LARGE, dtype=np.float32))
    child = os.fork()
    if child == 0:
        os._exit(0 if doubled(np.arange(LARGE, dtype=np.float32)) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert doubled(np.arange(LARGE, dtype=np.float32))


def test_several_python_threads_use_kernels_at_once():
    pool.set_threads(3)
    results: list[bool] = []
    workers = [threading.Thread(target=lambda: results.extend(doubled(np.arange(LARGE, dtype=np.float32) + i)
                                                              for i in range(20))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [True] * 80


@pytest.mark.parametrize("variable", ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"])
@compiled
def test_environment_sets_the_first_number(variable):
    program = "import mindtorch_v2; from mindtorch_v2.devices.cpu import pool; print(pool.get_threads())"
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**environment, variable: "3"})
    assert done.stdout == "3\n", done.stderr
