"""Record what PyTorch's torch.save writes, and what it says of files it will not load.

Run with a Python that has torch 2.13.0: ``python tools/record_saved.py``.
"""

from __future__ import annotations

import base64
import gzip
import importlib.util
import io
import json
import pathlib
import subprocess
import sys
import warnings

import torch

ROOT = pathlib.Path(__file__).parents[1]
TESTS = ROOT / "tests" / "mindtorch_v2"
NO_LEGACY = ("others", "whole", "many", "trained")  # the older format holds the sources of modules, and large pickles
OUT = TESTS / "data" / "saved.json.gz"


def loaded(name: str):
    """A file of the tests, which know nothing of packages here."""
    spec = importlib.util.spec_from_file_location(name, TESTS / "serialization" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def saved(obj, **how) -> bytes:
    file = io.BytesIO()
    torch.save(obj, file, **how)
    return file.getvalue()


def text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def answer(content: bytes, **how) -> list[str]:
    """What load() says: the kind and the words of its error, or what came of it."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result = ["", repr(torch.load(io.BytesIO(content), **how))]
        except Exception as error:
            result = [type(error).__name__, str(error)]
    return result + [str(warning.message) for warning in told]


def pickled() -> dict:
    """What plain pickle writes of objects, and what it reads from that."""
    def run(pickles: dict) -> dict:
        program = [sys.executable, str(TESTS / "serialization" / "pickled.py")]
        return json.loads(subprocess.run(program, input=json.dumps(pickles), capture_output=True, text=True,
                                         check=True).stdout)

    written = run({})["written"]
    return {"written": written, "read": run({line: content for line, (_, content) in written.items()})["read"]}


def main() -> None:
    checkpoints, hostile = loaded("checkpoints"), loaded("hostile_files")
    files = {}
    for name, (_, make) in checkpoints.SAMPLES.items():
        obj = make(torch)
        content = saved(obj)
        seen = checkpoints.facts(torch, torch.load(io.BytesIO(content), weights_only=False))
        legacy = b"" if name in NO_LEGACY else saved(obj, _use_new_zipfile_serialization=False)
        files[name] = {"zip": text(content), "facts": seen, "legacy": text(legacy)}
    answers = {name: answer(content, **how) for name, (content, how) in hostile.files(saved(torch.ones(3))).items()}
    facts = {"files": files, "hostile": answers, "pickled": pickled()}
    OUT.write_bytes(gzip.compress(json.dumps(facts).encode(), mtime=0))
    print(f"{len(files)} objects, {len(answers)} hostile files, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
