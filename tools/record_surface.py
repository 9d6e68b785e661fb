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


def main() -> None:
    warnings.simplefilter("ignore")
    torch = importlib.import_module("torch")
    surface = runpy.run_path(str(TESTS / "profiler" / "surface.py"))
    whole = {name: surface["module_surface"](importlib.import_module(f"torch.{name}"), "torch") for name in WHOLE}
    compiled = {name: sorted(n for n in dir(importlib.import_module(f"torch.{name}")) if not n.startswith("__"))
                for name in COMPILED}
    names = {name: surface["names_of"](importlib.import_module(f"torch.{name}"), "torch") for name in NAMES_ONLY}
    facts = {"torch": torch.__version__.partition("+")[0], "modules": whole, "names": names, "compiled": compiled,
             "objects": objects()}
    # mtime=0: the same facts give the same bytes.
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {sum(map(len, whole.values()))} names")


if __name__ == "__main__":
    main()
