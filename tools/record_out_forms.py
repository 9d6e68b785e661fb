"""Record what PyTorch makes of tensors given as out=: run with torch 2.13.0, writes data/out_*.json.gz."""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import sys

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mindtorch_v2" / "ops"))

import out_forms  # noqa: E402

DATA = ROOT / "tests" / "mindtorch_v2" / "data"
OUT, OVERLOADS = DATA / "out_forms.json.gz", DATA / "out_overloads.json.gz"


def in_another_process(sample, way: str) -> dict | None:
    """What PyTorch answers; None where it writes beyond its memory and dies of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # PyTorch's own warnings, and the last words of the C library
        answer = json.dumps(out_forms.observed(torch, sample, way))
        torch.empty(1000).clone()  # where memory is broken, this is where it shows
        with os.fdopen(writing, "w") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    if not text:
        print(f"{sample.expression} {way}: PyTorch died")
    return json.loads(text) if text else None


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    torch.set_num_threads(1)
    facts = {}
    for op, sample in out_forms.samples().items():
        answers = {way: in_another_process(sample, way) for way in out_forms.WAYS}
        facts[op] = {way: answer for way, answer in answers.items() if answer is not None}
    write(OUT, facts)
    print(f"{OUT.name}: {sum(map(len, facts.values()))} calls of {len(facts)} ops")
    write(OVERLOADS, overloads())


def overloads() -> list[str]:
    """The ``out=`` forms of PyTorch's Python functions; those it derives from others are not among them."""
    names = []
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == "aten" and any(argument.is_out for argument in schema.arguments):
            overload = getattr(getattr(torch.ops.aten, name), schema.overload_name or "default")
            if torch.Tag.generated not in overload.tags:
                names.append(f"{name}.{schema.overload_name}")
    return sorted(names)


def write(path: pathlib.Path, facts) -> None:
    text = json.dumps(facts, separators=(",", ":"), sort_keys=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
