"""set_num_threads() takes effect, here and in processes that come after, and get_num_threads() tells the truth."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import threads
from mindtorch_v2.devices.cpu import lapack


@pytest.fixture(autouse=True)
def number_as_before():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


# Which part of the processor time of products of matrices is spent on other threads than this one.
SHARE_OF_OTHER_THREADS = """
import time
torch.set_num_threads({})
x = torch.ones(600, 600)
here, everywhere = time.thread_time(), time.process_time()
for _ in range(20):
    x @ x
print(1 - (time.thread_time() - here) / (time.process_time() - everywhere))
"""


def run(program: str, **environment: str) -> str:
    done = subprocess.run([sys.executable, "-c", f"import mindtorch_v2 as torch\n{program}"], capture_output=True,
                          text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_blas_of_numpy_is_found():
    assert threads.blas() is not None


@pytest.mark.skipif(os.cpu_count() == 1, reason="there is no second processor")
def test_products_of_matrices_run_on_as_many_threads_as_were_set():
    """In processes of their own: here other tests' threads may still be at work."""
    one, two = (float(run(SHARE_OF_OTHER_THREADS.format(number))) for number in (1, 2))
    assert one < 0.05 < 0.2 < two


@pytest.mark.parametrize("number", [1, 2])
def test_number_is_what_blas_says(number):
    torch.set_num_threads(number)
    assert torch.get_num_threads() == threads.blas().get_threads() == number
    assert f"BLAS threads: {number}" in torch.__config__.parallel_info()


@pytest.mark.parametrize("number", [1, 2])
def test_decompositions_use_as_many_threads_where_matrices_are_large(number):
    library = lapack._blas_below_scipy()
    if library is None:
        pytest.skip("SciPy is linked with a BLAS that nothing is known of")
    torch.set_num_threads(number)
    for size, expected in ((1000, number), (10, 1)):
        lapack.limit_threads(np.empty((size, size)))
        assert library.get_threads() == expected


def test_number_goes_on_in_a_forked_child():
    torch.set_num_threads(1)
    child = os.fork()
    if child == 0:
        os._exit(0 if torch.get_num_threads() == 1 and threads.blas().get_threads() == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("variable", ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"])
def test_environment_sets_the_first_number(variable):
    assert run("print(torch.get_num_threads())", **{variable: "1"}) == "1"


def test_unknown_blas_is_said_and_not_claimed(monkeypatch):
    monkeypatch.setattr(threads, "blas", lambda: None)
    with pytest.warns(UserWarning, match="has no effect on products of matrices") as warned:
        torch.set_num_threads(1)
    assert warned[0].filename == __file__
    assert torch.get_num_threads() == 1  # that of our own loops


@pytest.mark.parametrize(("number", "error", "text"), [
    ("a", RuntimeError, "expects an int, but got str"), (2.0, RuntimeError, "expects an int, but got float"),
    (True, RuntimeError, "expects an int, but got bool"), (0, RuntimeError, "expects a positive integer"),
    (2**40, ValueError, "Overflow when unpacking long"),
])
@pytest.mark.parametrize("function", ["set_num_threads", "set_num_interop_threads"])
def test_mistakes_are_torchs(function, number, error, text):
    with pytest.raises(error, match=text):
        getattr(torch, function)(number)


def test_interop_threads_are_set_once():
    assert run("print(torch.get_num_interop_threads())\n"
               "torch.set_num_interop_threads(3); print(torch.get_num_interop_threads())\n"
               "try: torch.set_num_interop_threads(3)\n"
               "except RuntimeError as error: print(error)").splitlines() == \
        ["1", "3", "Error: cannot set number of interop threads after parallel work has started or "
              "set_num_interop_threads called"]
