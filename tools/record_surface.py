"""Record the names, signatures, members and fields of torch's profiler modules; run with a Python that has torch."""

from __future__ import annotations

import gzip
import importlib
import json
import runpy
import warnings
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "profiler_surface.json.gz"
WHOLE = ("profiler", "profiler.profiler", "profiler.itt", "autograd.profiler", "autograd.profiler_util",
         "autograd.profiler_legacy")
NAMES_ONLY = ("profiler._utils", "profiler._memory_profiler", "profiler._pattern_matcher", "profiler._trace_validator")
COMPILED = ("_C._profiler", "_C._autograd")
PRINTED = (*WHOLE, "optim.lr_scheduler")  # modules whose classes are looked at for where they say they live


def objects() -> dict[str, list[str]]:
    """The fields of the objects a profile hands out."""
    import torch
    from torch.profiler import profile
    with profile(record_shapes=True) as prof:
        torch.ones(2).sum()
    events = prof.events()
    made = {"profile": prof, "autograd profile": prof.profiler, "event": events[0], "average": prof.key_averages()[0],
            "list": events, "stats": prof._stats()}
    return {name: sorted(vars(value)) for name, value in made.items()}


def homes() -> dict[str, dict[str, str]]:
    """Where the classes that a module exports say they live."""
    found = {}
    for module in PRINTED:
        exported = importlib.import_module(f"torch.{module}")
        classes = [(name, getattr(exported, name)) for name in exported.__all__]
        found[module] = {name: kind.__module__ for name, kind in classes if isinstance(kind, type)}
    import torch
    found[""] = {name: getattr(torch, name).__module__ for name in
                 ("Tensor", "Size", "dtype", "device", "layout", "memory_format", "finfo", "iinfo")}
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    torch = importlib.import_module("torch")
    surface = runpy.run_path(str(TESTS / "profiler" / "surface.py"))
    whole = {name: surface["module_surface"](importlib.import_module(f"torch.{name}"), "torch") for name in WHOLE}
    compiled = {name: sorted(n for n in dir(importlib.import_module(f"torch.{name}")) if not n.startswith("__"))
                for name in COMPILED}
    names = {name: surface["names_of"](importlib.import_module(f"torch.{name}"), "torch") for name in NAMES_ONLY}
    facts = {"torch": torch.__version__.partition("+")[0], "modules": whole, "names": names, "compiled": compiled,
             "objects": objects(), "homes": homes()}
    # mtime=0: the same facts give the same bytes.
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {sum(map(len, whole.values()))} names")


if __name__ == "__main__":
    main()
