"""Record the names, signatures, members and fields of torch's profiler modules, and the surfaces of torch and torch.nn.

Run with a Python that has torch; ``record_surface.py nn`` records torch.nn alone, ``profiler`` the profiler, ``torch``
the names of torch and of Tensor.
"""

from __future__ import annotations

import gzip
import importlib
import json
import runpy
import sys
import warnings
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "profiler_surface.json.gz"
TORCH_DATA = TESTS / "data" / "torch_surface.json.gz"
NN_DATA = TESTS / "data" / "nn_surface.json.gz"
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


def record_nn() -> None:
    """What torch.nn and its modules offer, by address and name."""
    surface = runpy.run_path(str(TESTS / "nn" / "surface.py"))
    facts = {}
    for address in surface["addresses"]("torch"):
        module = importlib.import_module(f"torch.{address}")
        facts[address] = {name: surface["described"](getattr(module, name))
                          for name in surface["names_of"](module, "torch")}
    NN_DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{NN_DATA.name}: {NN_DATA.stat().st_size} bytes, {sum(map(len, facts.values()))} names")


def record_torch() -> None:
    """The public names of torch and of Tensor, and what small questions are answered with."""
    torch = importlib.import_module("torch")
    surface = runpy.run_path(str(TESTS / "torch_surface.py"))
    facts = {"torch": surface["public_names"](torch), "Tensor": surface["public_names"](torch.Tensor),
             "answers": surface["answers"](torch)}
    TORCH_DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{TORCH_DATA.name}: {len(facts['torch'])} and {len(facts['Tensor'])} names")


def record_profiler() -> None:
    """Names, signatures, members and fields of the profiler's modules."""
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
    warnings.simplefilter("ignore")
    recorders = {"nn": record_nn, "profiler": record_profiler, "torch": record_torch}
    for subject in sys.argv[1:] or recorders:
        recorders[subject]()
