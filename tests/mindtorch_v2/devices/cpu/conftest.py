"""Each test_<subject>.py asks for: `fact` (what torch computed), `kernels` (either build), `agree` (both builds)."""
from __future__ import annotations

import functools
import gzip
import importlib
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

DATA = Path(__file__).parents[2] / "data"
DTYPES = {"float32": np.dtype(np.float32), "float64": np.dtype(np.float64), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
# a few roundings of float and double, two of bfloat16
TOLERANCE = {"float32": 2e-6, "float64": 1e-14, "bfloat16": 2**-7, "float16": 2**-10}


@functools.cache
def facts() -> dict:
    return {subject: known for path in DATA.glob("kernels*.json.gz")
            for subject, known in json.loads(gzip.decompress(path.read_bytes())).items()}


def subject_of(module) -> str:
    return module.__name__.rpartition("test_")[2]


def pytest_generate_tests(metafunc):
    if "fact" in metafunc.fixturenames:
        known = facts()[subject_of(metafunc.module)]
        metafunc.parametrize("fact", known, ids=[f"{at}-{fact['name']}" for at, fact in enumerate(known)])


def load(build: str, subject: str):
    name = f"mindtorch_v2.devices.cpu.{build}.{subject}"
    return pytest.importorskip(name, reason="not compiled") if build == "compiled" else importlib.import_module(name)


@pytest.fixture(params=["reference", "compiled"])
def kernels(request):
    return load(request.param, subject_of(request.module))


@pytest.fixture(params=list(DTYPES))
def dtype(request):
    return DTYPES[request.param]


def assert_close(actual, expected, of_largest=None):
    """Equal but for rounding; `of_largest` allows that part of the largest element, where sums cancel."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    if actual.dtype.kind in "iub":
        np.testing.assert_array_equal(actual, expected)
        return
    tolerance = TOLERANCE[actual.dtype.name]
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    atol = of_largest * largest if of_largest else tolerance * min(largest, 1)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=atol)


def array_of(recorded):
    if not isinstance(recorded, dict):
        return tuple(recorded) if isinstance(recorded, list) else recorded
    name = recorded["dtype"]
    return np.array(recorded["values"]).astype(DTYPES.get(name, name)).reshape(recorded["shape"])


@pytest.fixture
def replay(kernels):
    """Calls the kernel of a fact and compares all it wrote with what torch had."""
    def run(fact, of_largest=None):
        args = [array_of(a) for a in fact["args"]]
        getattr(kernels, fact["name"])(*args)
        for place, expected in fact["after"].items():
            assert_close(args[int(place)], array_of(expected), of_largest)
    return run


@pytest.fixture
def agree(request):
    """Calls both builds with copies of the arguments and compares every array afterwards."""
    reference, compiled = (load(build, subject_of(request.module)) for build in ("reference", "compiled"))

    def run(name, *args, of_largest=None):
        # NumPy's arithmetic turns 0-d arrays into scalars; kernels want the arrays
        args = [np.asarray(a) if isinstance(a, np.generic) else a for a in args]
        theirs, ours = ([a.copy(order="K") if isinstance(a, np.ndarray) else a for a in args] for _ in range(2))
        getattr(reference, name)(*theirs)
        getattr(compiled, name)(*ours)
        for actual, expected in zip(ours, theirs):
            if isinstance(actual, np.ndarray):
                assert_close(actual, expected, of_largest)
    return run


@pytest.fixture
def drawn():
    rng = np.random.default_rng(7)
    return lambda shape, dtype=np.float32: np.asarray(rng.standard_normal(shape) * 1.5).astype(dtype)
