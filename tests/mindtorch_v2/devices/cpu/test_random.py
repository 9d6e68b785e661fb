"""The random kernels give PyTorch's numbers, bit for bit, and leave its generator's state; facts in random.json.gz."""
from __future__ import annotations

import gzip
import hashlib
import importlib
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

FACTS = json.loads(gzip.decompress((Path(__file__).parents[2] / "data/random.json.gz").read_bytes()))
BUILDS = ["reference", "compiled"]


@pytest.fixture(params=BUILDS)
def kernels(request):
    name = f"mindtorch_v2.devices.cpu.{request.param}.random"
    if request.param == "compiled":
        return pytest.importorskip(name, reason="not compiled")
    return importlib.import_module(name)


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def sha1(array):
    return hashlib.sha1(array.tobytes()).hexdigest()[:12]


def weights(n, dtype):
    return ((np.arange(n) * 37 % 61 + 1) / 64).astype(dtype)


def fill(kernels, engine, name, out, args):
    """Calls the kernel behind a recorded step; returns the array it wrote."""
    if name == "multinomial":
        rows = 3 if out.size else 0
        p = weights(3 * 50, out.dtype).reshape(3, 50)[:rows]
        out = np.empty((rows, args[0]), np.int64)
        kernels.multinomial(engine, out, p, args[1])
    elif name == "randperm":
        kernels.randperm(engine, out.size, out)
    elif name == "bernoulli_tensor_":
        kernels.bernoulli_tensor_(engine, out, weights(out.size, dtype_of(args[0])))
    elif name == "dropout":  # keeps what it draws with 1 - p
        kernels.bernoulli_scalar_(engine, out, 1 - args[0])
    elif name == "normal_strided":
        kernels.normal_(engine, out, *args, strided=True)
    else:
        getattr(kernels, name)(engine, out, *args)
    return out


def program_id(program):
    return "-".join([program["fill"], program["dtype"], *map(str, program["args"])])


@pytest.mark.parametrize("program", FACTS["programs"], ids=program_id)
def test_successive_fills_are_torchs(kernels, program):
    engine = kernels.Engine(program["seed"])
    for step in program["steps"]:
        out = np.zeros(step["size"], dtype_of(program["dtype"]))
        out = fill(kernels, engine, program["fill"], out, program["args"])
        if program["dtype"] != "bfloat16":
            assert [str(x) for x in out.reshape(-1)[:3].tolist()] == step["head"], step["size"]
        assert sha1(out) == step["sha1"], step["size"]
        assert sha1(engine.get_state()) == step["state"], step["size"]


@pytest.mark.parametrize("recorded", FACTS["rejections"], ids=lambda r: f"{r['name']}-{r['scale']:g}-{r['dtype']}")
def test_numbers_drawn_by_rejection_are_torchs(kernels, recorded):
    engine, kind = kernels.Engine(30), np.dtype(recorded["dtype"])
    p = weights(4000, kind)
    scale = kind.type(recorded["scale"])
    given = [np.rint(p[::-1] * scale), p] if recorded["name"] == "binomial" else [p * scale]
    out = np.empty(4000, kind)
    getattr(kernels, recorded["name"].lstrip("_"))(engine, out, *given)
    if recorded["name"] == "_standard_gamma":
        out = np.maximum(out, np.finfo(kind).tiny)  # as the op does
    assert sha1(out) == recorded["sha1"]
    assert sha1(engine.get_state()) == recorded["state"]


def test_parameters_out_of_range_draw_no_number_and_end(kernels):
    out = np.empty(3)
    kernels.standard_gamma(kernels.Engine(1), out, np.array([-1.0, np.nan, 0.0]))
    assert np.isnan(out[:2]).all() and out[2] == 0
    kernels.binomial(kernels.Engine(1), out, np.array([np.nan, 5.0, -2.0]), np.array([0.5, np.nan, 0.5]))
    assert np.isnan(out[:2]).all() and out[2] == 0
    kernels.poisson(kernels.Engine(1), out[:1], np.array([np.inf]))
    assert out[0] == -(2.0**63)


def test_torchs_state_is_taken_over(kernels):
    recorded = FACTS["halfway"]
    engine = kernels.Engine(0)
    engine.set_state(np.frombuffer(bytes.fromhex(recorded["state"]), np.uint8))
    normals, uniforms = np.empty(3), np.empty(700)
    kernels.normal_(engine, normals)
    kernels.uniform_(engine, uniforms)
    assert sha1(np.concatenate([normals, uniforms])) == recorded["follows"]
    assert engine.initial_seed == recorded["initial_seed"]


def test_a_state_comes_back_as_it_was_given(kernels):
    state = np.frombuffer(bytes.fromhex(FACTS["halfway"]["state"]), np.uint8).copy()
    state[5048:5053] = [0, 0, 64, 63, 1]  # a spare float, which torch keeps and never uses
    engine = kernels.Engine(0)
    engine.set_state(state)
    assert engine.get_state().tobytes() == state.tobytes()


def test_a_state_of_another_size_is_refused(kernels):
    with pytest.raises(RuntimeError, match="^Expected a CPUGeneratorImplState of size 5056 but found the input RNG "
                                           "state size to be 5$"):
        kernels.Engine(0).set_state(np.zeros(5, np.uint8))


def test_a_state_that_was_never_seeded_is_refused(kernels):
    with pytest.raises(RuntimeError, match="^Invalid mt19937 state$"):
        kernels.Engine(0).set_state(np.zeros(5056, np.uint8))


def test_a_state_whose_counters_run_past_the_words_is_refused(kernels):
    state = kernels.Engine(0).get_state()
    state[8:12] = np.array([600], "<i4").view(np.uint8)
    state[16:24] = np.array([600], "<u8").view(np.uint8)
    with pytest.raises(RuntimeError, match="^Invalid mt19937 state$"):
        kernels.Engine(0).set_state(state)


def test_a_64_bit_word_is_two_32_bit_words_upper_half_first(kernels):
    narrow, wide = kernels.Engine(9), kernels.Engine(9)
    for _ in range(700):
        assert wide.random64() == (narrow.random32() << 32) + narrow.random32()
    assert wide.get_state().tobytes() == narrow.get_state().tobytes()


def test_a_negative_seed_counts_from_the_end(kernels):
    engine = kernels.Engine(-1)
    assert engine.initial_seed == 2**64 - 1
    assert engine.random32() == kernels.Engine(2**64 - 1).random32()


def test_seeding_forgets_the_spare_normal_number(kernels):
    engine, out = kernels.Engine(1), np.empty(1)
    kernels.normal_(engine, out)
    engine.seed(1)
    assert engine.get_state().tobytes() == kernels.Engine(1).get_state().tobytes()


def test_arrays_of_several_dimensions_are_filled_in_memory_order(kernels):
    flat, square = np.empty(25, np.float32), np.empty((5, 5), np.float32)
    kernels.normal_(kernels.Engine(3), flat)
    kernels.normal_(kernels.Engine(3), square)
    assert (flat == square.reshape(-1)).all()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_a_half_never_reaches_the_excluded_end(kernels, dtype):
    out = np.empty(200_000, dtype)
    kernels.uniform_(kernels.Engine(4), out)
    assert float(out.max()) < 1


def test_a_compiled_fill_refuses_an_array_with_gaps():
    kernels = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.random", reason="not compiled")
    with pytest.raises(ValueError, match="contiguous"):
        kernels.uniform_(kernels.Engine(0), np.empty((4, 2), np.float32)[:, 0])


BOUNDS = st.floats(-1e6, 1e6)
SPANS = st.floats(1e-6, 1e6)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", ["uniform_", "normal_", "log_normal_", "cauchy_"])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**64 - 1), size=st.integers(0, 100), low=BOUNDS, span=SPANS)
def test_both_builds_agree_on_any_arguments(name, dtype, seed, size, low, span):
    compiled = pytest.importorskip("mindtorch_v2.devices.cpu.compiled.random", reason="not compiled")
    reference = importlib.import_module("mindtorch_v2.devices.cpu.reference.random")
    args = (low, low + span) if name == "uniform_" else (low, span)
    drawn = []
    for kernels in (reference, compiled):
        engine, out = kernels.Engine(seed), np.zeros(size, dtype_of(dtype))
        with np.errstate(over="ignore"):
            getattr(kernels, name)(engine, out, *args)
        drawn.append((out.tobytes(), engine.get_state().tobytes()))
    assert drawn[0] == drawn[1]


def test_a_long_permutation_is_drawn_inside_out(kernels):
    words, expected = kernels.Engine(5), []
    for i in range(1000):
        z = words.random64() % (i + 1)
        expected.append(i)
        expected[i], expected[z] = expected[z], i
    out = np.empty(1000, np.int32)
    kernels.randperm(kernels.Engine(5), 1000, out, wide_from=1000)
    assert out.tolist() == expected
