"""Record the functions of torch.special, torch.fft and torch.signal.windows, and how each of them is called; and the
public names of other modules.

Run with a Python that has torch, and tensorboard for torch.utils.tensorboard.
"""

from __future__ import annotations

import gzip
import importlib
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "namespaces.json.gz"
SURFACES = TESTS / "data" / "public_names.json"

if __name__ == "__main__":
    namespaces = runpy.run_path(str(TESTS / "namespaces.py"))
    facts = {}
    for address in namespaces["ADDRESSES"]:
        module = importlib.import_module(f"torch.{address}")
        names = namespaces["names_of"](module)
        facts[address] = {name: namespaces["described"](getattr(module, name)) for name in names}
    names = {address: namespaces["public_names"](importlib.import_module(f"torch.{address}"))
             for address in namespaces["SURFACES"]}
    SURFACES.write_text(json.dumps(names, separators=(",", ":")) + "\n")
    calls = {call: namespaces["outcome"](torch, call) for call in namespaces["CALLS"]}
    facts = {"modules": facts, "calls": calls}
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {sum(map(len, facts['modules'].values()))} names")
