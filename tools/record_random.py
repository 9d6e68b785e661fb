"""Records PyTorch's random numbers, as hashes and first values, for tests/mindtorch_v2/devices/cpu/test_random.py."""
from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import torch
from torch.nn import functional

OUT = Path(__file__).parent.parent / "tests/mindtorch_v2/data/random.json.gz"
SIZES = [0, 1, 2, 15, 16, 17, 31, 32, 100, 1000, 7, 100003]
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTS = ["int64", "int32", "int16", "int8", "uint8"]


def weights(n: int, dtype: torch.dtype) -> torch.Tensor:
    """Exact in every floating dtype; the test computes the same."""
    return ((torch.arange(n) * 37 % 61 + 1) / 64).to(dtype)


def multinomial(out: torch.Tensor, samples: int, replacement: bool) -> torch.Tensor:
    if not out.numel():
        return torch.empty(0, dtype=torch.int64)
    return torch.multinomial(weights(3 * 50, out.dtype).view(3, 50), samples, replacement)


# How torch is asked for what each kernel fills; the keys are the kernels' names.
FILLS = {
    "uniform_": lambda out, *args: out.uniform_(*args),
    "normal_": lambda out, *args: out.normal_(*args),
    "normal_strided": lambda out, *args: torch.stack([out, out], 1)[:, 0].normal_(*args).contiguous(),
    "random_": lambda out, *args: out.random_(*args),
    "randperm": lambda out: torch.randperm(out.numel(), dtype=out.dtype),
    "bernoulli_scalar_": lambda out, p: out.bernoulli_(p),
    "dropout": lambda out, p: (functional.dropout(torch.ones_like(out), p) != 0).to(out.dtype),
    "bernoulli_tensor_": lambda out, p_dtype: out.bernoulli_(weights(out.numel(), getattr(torch, p_dtype))),
    "exponential_": lambda out, *args: out.exponential_(*args),
    "log_normal_": lambda out, *args: out.log_normal_(*args),
    "cauchy_": lambda out, *args: out.cauchy_(*args),
    "geometric_": lambda out, *args: out.geometric_(*args),
    "multinomial": multinomial,
}

# Kernel, dtypes, seed, arguments.
PROGRAMS = [
    ("uniform_", FLOATS, 0, []), ("uniform_", FLOATS, -3, [-3.3, 7.1]),
    ("uniform_", FLOATS, 2**40 + 5, [1000.3, 1001.7]),
    ("normal_", FLOATS, 1, []), ("normal_", FLOATS, 11, [1.7, 2.3]), ("normal_", FLOATS, 12, [0.3, 0.0]),
    ("normal_strided", FLOATS, 13, [0.3, 1.1]),
    ("random_", FLOATS + INTS + ["bool"], 2, []), ("random_", FLOATS + INTS, 3, [3, 100]),
    ("random_", ["int64", "float32", "float64"], 4, [-7, 2**28 - 8]),
    ("random_", ["int64", "float32", "float64"], 4, [-7, 2**28 - 7]),
    ("random_", ["int64", "float32", "float64"], 5, [-2**33, 2**62]), ("random_", ["int64"], 6, [-2**63, 2**63 - 1]),
    ("random_", ["int64", "float32", "float64", "bfloat16"], 7, [-2**63, None]),
    ("random_", ["int32", "int8", "float16", "float32"], 8, [-5, None]),
    ("random_", ["float16"], 9, [0, 5000]), ("random_", ["float16"], 9, [4097, 65504]),
    ("random_", ["float16"], 9, [-4103, 63001]), ("random_", ["float32"], 9, [-2**60 - 12345, 2**61 + 54321]),
    ("random_", ["bfloat16"], 9, [-30007, 70001]), ("random_", ["uint16", "uint32", "uint64", "bool"], 9, [0, 2]),
    ("randperm", ["int64", "int32", "float64"], 10, []),
    ("bernoulli_scalar_", FLOATS + INTS + ["bool"], 14, [0.3]), ("bernoulli_scalar_", ["float32"], 15, [1.0]),
    ("dropout", FLOATS, 16, [0.1]), ("dropout", ["float32"], 17, [0.5]),
    *[("bernoulli_tensor_", ["float32", "int64", "bool"], 18, [p_dtype]) for p_dtype in FLOATS],
    ("exponential_", FLOATS, 19, []), ("exponential_", FLOATS, 20, [1.5]),
    ("log_normal_", FLOATS, 21, []), ("log_normal_", FLOATS, 22, [0.3, 0.7]),
    ("cauchy_", FLOATS, 23, []), ("cauchy_", FLOATS, 24, [0.3, 2.2]),
    ("geometric_", FLOATS + INTS, 25, [0.3]), ("geometric_", ["float64", "int64", "uint8", "int16"], 26, [1e-12]),
    ("multinomial", FLOATS[:2], 27, [10, False]), ("multinomial", FLOATS, 28, [1, True]),
    ("multinomial", FLOATS, 29, [1000, True]),
]


def sha1(tensor: torch.Tensor) -> str:
    flat = tensor.flatten().clone(memory_format=torch.contiguous_format)
    return hashlib.sha1(flat.view(torch.uint8).numpy().tobytes()).hexdigest()[:12]


def program(fill: str, dtype: str, seed: int, args: list) -> dict:
    """One generator, filling arrays of all sizes one after the other."""
    torch.manual_seed(seed)
    steps = []
    for size in SIZES:
        drawn = FILLS[fill](torch.zeros(size, dtype=getattr(torch, dtype)), *args)
        head = [str(x) for x in drawn.flatten()[:3].tolist()]
        steps.append({"size": size, "sha1": sha1(drawn), "head": head, "state": sha1(torch.get_rng_state())})
    return {"fill": fill, "dtype": dtype, "seed": seed, "args": args, "steps": steps}


def halfway() -> dict:
    """A whole state with a spare normal number in it, and what follows from it."""
    torch.manual_seed(2**63 + 77)
    torch.randn(7)
    state = torch.get_rng_state()
    follows = torch.cat([torch.randn(3, dtype=torch.float64), torch.rand(700, dtype=torch.float64)])
    return {"state": bytes(state.tolist()).hex(), "initial_seed": torch.initial_seed(), "follows": sha1(follows)}


REJECTED = 4000  # numbers: drawn one by one
# Function, what its parameters are multiplied by.
REJECTIONS = [("_standard_gamma", 0.5), ("_standard_gamma", 40.0), ("poisson", 8.0), ("poisson", 500.0),
              ("binomial", 12.0), ("binomial", 900.0)]


def rejection(name: str, scale: float, dtype: str) -> dict:
    """Numbers drawn by rejection, whose parameters span the ways in which they are drawn."""
    p = weights(REJECTED, getattr(torch, dtype))
    given = [(p.flip(0) * scale).round(), p] if name == "binomial" else [p * scale]
    torch.manual_seed(30)
    drawn = getattr(torch, name)(*given)
    return {"name": name, "scale": scale, "dtype": dtype, "sha1": sha1(drawn), "state": sha1(torch.get_rng_state())}


def main() -> None:
    programs = [program(fill, dtype, seed, args) for fill, dtypes, seed, args in PROGRAMS for dtype in dtypes]
    facts = {"torch": torch.__version__.partition("+")[0], "halfway": halfway(), "programs": programs,
             "rejections": [rejection(name, scale, dtype) for name, scale in REJECTIONS for dtype in FLOATS[:2]]}
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_bytes(gzip.compress(json.dumps(facts).encode(), mtime=0))
    print(f"{len(programs)} programs, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
