"""Call every compiled kernel with arrays that do not fit; run as a program, because a mistake here is a crash.

The calls are drawn from the signatures of the readable kernels, half of them by spoiling a call that PyTorch's answers
are recorded for. Every array lies between two fences of known bytes, so
that a write beside it is seen; a call that does not raise must have computed what the readable kernel computes.
"""

from __future__ import annotations

import gzip
import importlib
import inspect
import json
import random
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

FENCE = 64  # elements
SHAPES = ((), (0,), (1,), (2,), (6,), (2, 3), (3, 2), (0, 3), (1, 6), (2, 3, 1), (1, 2, 3, 1), (2, 2, 2, 2),
          (2, 1, 3, 4))
REFUSALS = (ValueError, TypeError, IndexError, RuntimeError, OverflowError, MemoryError, AttributeError,
            ZeroDivisionError)
DTYPES = ("f4", "f4", "f4", "f8", "f2", ml_dtypes.bfloat16, "i8", "i8", "i4", "u1", "?", "c8", ">f4", "O")
INTS = (0, 1, 1, 2, 2, 3, 6, -1, -2, 2**31, 2**62, -2**63)
FLOATS = (0.5, 1.0, 2.0)  # in the domain of every kernel
DATA = Path(__file__).parents[2] / "data"


def counted(*shape: int, dtype: str = "float32") -> dict:
    """An array as answers of PyTorch are recorded."""
    return {"values": list(range(int(np.prod(shape)))), "shape": shape, "dtype": dtype}


# Calls that fit, of kernels for which PyTorch's answers are not recorded: it has no such function.
_PLACES = [counted(n, dtype="int64") for n in (1, 2, 3)]
_STEPS = [[1, 1], [0, 0], [1, 1]]
_STARTS, _COLUMNS = counted(3, dtype="int64"), counted(2, dtype="int64")
FITTING = {
    "bordered": {"show_places": [[counted(2, 1, 2, 3), counted(2, 1, 2, 3), *_PLACES]],
                 "add_places": [[counted(2, 1, 2, 3), counted(2, 1, 2, 3), *_PLACES]]},
    "fourier": {
        "complex_lines": [[counted(1, 4, 16, dtype="complex64"), counted(1, 4, 16, dtype="complex64"), 1.0, True]],
        "real_lines": [[counted(1, 3, 16, dtype="complex64"), counted(1, 4, 16), 1.0]],
        "lines_to_real": [[counted(1, 4, 16), counted(1, 3, 16, dtype="complex64"), 1.0]]},
    "lapack_equations": {
        "lstsq": [[counted(2, 1, 1), counted(2, 1, 1), None, counted(2, dtype="int64"), counted(2, dtype="int32"), 0.5,
                   "gelsy"]],
        "sytrf": [[counted(2, 1, 1), counted(2, 1, dtype="int32"), counted(2, dtype="int32"), False]]},
    "lapack_values": {"syevd": [[counted(2, 1, 1), counted(2, 1), counted(2, dtype="int32"), False, True]]},
    "matrices": {"spread_complex": [[counted(4, 6), counted(2, 3, dtype="complex64")]]},
    "vector_products": {
        "half_dot": [[counted(6, dtype="float16"), counted(6, dtype="float16")]],
        "half_rows_by_vector": [[counted(2), counted(2, 3, dtype="float16"), counted(3)]],
        "add_outer": [[counted(2, 3), counted(2, 3), counted(2), counted(3), 0.5, 2.0]],
        "cross": [[counted(2, 3, 1), counted(2, 3, 1), counted(2, 3, 1)]]},
    "sparse_rows": {
        "add_rows_by_dense": [[counted(2, 3, dtype="float64"), _STARTS, _COLUMNS, counted(2, dtype="float64"),
                               counted(3, 3, dtype="float64"), 0.5]],
        "sampled_rows": [[counted(2), _STARTS, _COLUMNS, counted(2, 3), counted(2, 3)]],
        "product_of_rows": [[_STARTS, _COLUMNS, counted(2), _STARTS, _COLUMNS, counted(2), 3]],
        "common": [[counted(3, dtype="int64"), counted(3, dtype="int64"), _COLUMNS, counted(3, dtype="int64")]]},
    "margins": {
        "multi_margin": [[counted(2), counted(2, 3), counted(2, dtype="int64"), counted(3), 1, 0.5]],
        "multi_margin_backward": [[counted(2, 3), counted(2), counted(2, 3), counted(2, dtype="int64"), counted(3), 2,
                                   0.5]],
        "multilabel_margin": [[counted(1), counted(1, 3), counted(1, 3), counted(1, 3, dtype="int64")]],
        "multilabel_margin_backward": [[counted(1, 3), counted(1), counted(1, 3), counted(1, 3, dtype="int64"),
                                        counted(1, 3)]]},
    "whole_products": {"multiply_whole": [[counted(2, 2, dtype="int64")] * 3]},
    "small_matrices": {
        "lu_factor": [[counted(2, 3, 3), counted(2, 3, dtype="int32"), counted(2, dtype="int32")]],
        "lu_solve": [[counted(1, 1, 1), counted(1, 1, 1), {"values": [1], "shape": (1, 1), "dtype": "int32"}, False]],
        "cholesky": [[counted(2, 3, 3), counted(2, dtype="int32"), True]]},
    "pixel_convolution": {name: [[counted(2, 3, 4, 4), counted(2, 3, 4, 4), counted(3, 3, 1, 1), *_STEPS, 1]]
                          for name in ("convolution", "convolution_input_grad")},
    "depthwise_last": {
        "convolution": [[counted(2, 1, 4, 4), counted(2, 1, 4, 4), counted(1, 1, 1, 1), *_STEPS]],
        "convolution_input_grad": [[counted(2, 1, 4, 4), counted(2, 1, 4, 4), counted(1, 1, 1, 1), *_STEPS]],
        "convolution_weight_grad": [[counted(1, 1, 1, 1), counted(2, 1, 4, 4), counted(2, 1, 4, 4), *_STEPS]]},
}
QUESTIONS = ("takes",)  # about a call, which nothing that is handed over can spoil
TOLERANCE = 1e-2  # of two bytes; a wrong element is further away


class Fenced:
    """An array in the middle of a larger one."""

    def __init__(self, values: np.ndarray):
        self.whole = np.zeros(values.size + 2 * FENCE, values.dtype)
        self.whole[...] = 7 if values.dtype != object else None
        middle = self.whole[FENCE:FENCE + values.size]
        middle[...] = values.reshape(-1)
        self.array = middle.reshape(values.shape)
        self.fences = self.read_fences()

    def read_fences(self) -> tuple[bytes, bytes]:
        return self.whole[:FENCE].tobytes(), self.whole[len(self.whole) - FENCE:].tobytes()


def an_array(rng: random.Random, common: tuple) -> tuple[Fenced | None, object]:
    """An array of a shape and type that may or may not fit, and the fences around it."""
    if rng.random() < 0.05:
        return None, rng.choice((None, 5, [1.0, 2.0], "text"))
    shape, dtype = common if rng.random() < 0.7 else (rng.choice(SHAPES), rng.choice(DTYPES))
    fenced = Fenced(np.array([rng.randrange(3) for _ in range(int(np.prod(shape)))]).astype(dtype).reshape(shape))
    array = fenced.array
    form = rng.random()
    if form < 0.06 and array.ndim:
        array = array[::2]
    elif form < 0.12 and array.ndim:
        array = array[::-1]
    elif form < 0.16 and array.ndim > 1:
        array = array.T
    elif form < 0.2 and array.size:
        array = np.broadcast_to(array.reshape(-1)[:1], (6,))
    elif form < 0.23:
        array.flags.writeable = False
    elif form < 0.26 and array.dtype == np.float32 and array.size:
        array = np.frombuffer(bytearray(4 * array.size + 1), "f4", offset=1)
    return fenced, array


def an_argument(kind: str, rng: random.Random, common: tuple, engine):
    """A value for a parameter of this annotation, and its fences if it has any."""
    if "Array" in kind or "ndarray" in kind or "Maybe" in kind:
        if ("None" in kind or "Maybe" in kind) and rng.random() < 0.3:
            return None, None
        return an_array(rng, common)
    if "Engine" in kind:
        return None, engine
    if "ufunc" in kind:
        return None, rng.choice((np.add, np.maximum, np.negative, np.less))
    if "Sizes" in kind:
        count = rng.choice((1, 2, 2, 3))
        return None, tuple(rng.choice(INTS) if rng.random() < 0.1 else rng.choice((1, 1, 2, 0)) for _ in range(count))
    if "bool" in kind:
        return None, rng.random() < 0.5
    if "Numbers" in kind or "Scales" in kind:
        drawn = FLOATS + (0.0, -1.0, 1e-30, 1e30) if "Scales" in kind else INTS[:8] if rng.random() < 0.8 else INTS
        return None, tuple(rng.choice(drawn) for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))))
    if "int" in kind:
        return None, rng.choice(INTS) if rng.random() < 0.4 else rng.choice((1, 2, 3, 6))
    if "float" in kind:
        return None, rng.choice(FLOATS)
    return None, rng.choice(("none", "tanh", "other"))


def kernels_of(subject: str) -> list[tuple]:
    """Pairs of the compiled and the readable kernel of one name."""
    compiled = importlib.import_module(f"mindtorch_v2.devices.cpu.compiled.{subject}")
    readable = importlib.import_module(f"mindtorch_v2.devices.cpu.reference.{subject}")
    return [(getattr(compiled, name), function) for name, function in sorted(vars(readable).items())
            if callable(function) and not inspect.isclass(function) and not name.startswith("_")
            and name not in QUESTIONS and hasattr(compiled, name) and function.__module__ == readable.__name__]


def copied(value):
    return np.array(value, order="C") if isinstance(value, np.ndarray) else value


def recorded(subject: str) -> dict[str, list]:
    """The arguments of calls that fit, by the name of the kernel."""
    found: dict[str, list] = {name: list(calls) for name, calls in FITTING.get(subject, {}).items()}
    for path in DATA.glob("kernels*.json.gz"):
        for fact in json.loads(gzip.decompress(path.read_bytes())).get(subject, ()):
            found.setdefault(fact["name"], []).append(fact["args"])
    return found


def spoilt(args: list, drawn: list, rng: random.Random) -> list:
    """A call that fits, with an argument or two from one that does not."""
    made = []
    for given in args:
        if isinstance(given, dict):
            dtype = ml_dtypes.bfloat16 if given["dtype"] == "bfloat16" else given["dtype"]
            fenced = Fenced(np.array(given["values"]).astype(dtype).reshape(given["shape"]))
            made.append((fenced, fenced.array))
        else:
            made.append((None, tuple(given) if isinstance(given, list) else given))
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(min(len(made), len(drawn)))
        made[at] = drawn[at]
    return made


def try_one(compiled, readable, rng: random.Random, engine, known: list) -> str:
    """One call; says what came of it, and asserts that no fence was touched."""
    common = (rng.choice(SHAPES), rng.choice(DTYPES))
    params = list(inspect.signature(readable).parameters.values())
    drawn = [an_argument(str(p.annotation), rng, common, engine) for p in params if p.kind is p.POSITIONAL_OR_KEYWORD]
    if known and rng.random() < 0.5:
        drawn = spoilt(rng.choice(known), drawn, rng)
    args = [value for _, value in drawn]
    again = [copied(a) for a in args]
    shown = [f"{a.dtype} {a.shape} {a.strides}" if isinstance(a, np.ndarray) else repr(a) for a in args]
    print(compiled.__name__, *shown, sep=", ", flush=True)
    try:
        is_declined = compiled(*args) is False  # which it may where the readable kernel need not: those are copies
    except REFUSALS:
        outcome = "raised"
    else:
        outcome = "declined" if is_declined else "returned" if engine is not None else compare(readable, args, again)
    assert all(fenced is None or fenced.fences == fenced.read_fences() for fenced, _ in drawn), "wrote beside an array"
    return outcome


def compare(readable, args: list, again: list) -> str:
    """Whether the readable kernel, where it takes the same arguments, computes the same."""
    try:
        readable(*again)
    except Exception:
        return "returned"
    for mine, theirs in zip(args, again):
        if isinstance(mine, np.ndarray) and mine.dtype.kind in "fiub":
            assert np.allclose(mine, theirs, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True), (mine, theirs)
    return "returned the same"


def main(subject: str, calls: int) -> None:
    engine = None
    if subject == "random":
        engine = importlib.import_module("mindtorch_v2.devices.cpu.compiled.random").Engine(1)
    np.seterr(all="ignore")
    known = recorded(subject)
    for compiled, readable in kernels_of(subject):
        name = compiled.__name__
        outcomes = [try_one(compiled, readable, random.Random(f"{name} {i}"), engine, known.get(name, []))
                    for i in range(calls)]
        print("done", name, {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))}, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
