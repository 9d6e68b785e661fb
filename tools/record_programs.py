"""Record how PyTorch profiles tests/mindtorch_v2/programs: run with torch 2.13.0, writes data/programs.json.gz.

    python tools/record_programs.py [names...]     all of them, or these and the rest as it stood
"""

from __future__ import annotations

import gzip
import json
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "mindtorch_v2"
OUT = TESTS / "data" / "programs.json.gz"
sys.path.insert(0, str(TESTS))

import programs  # noqa: E402
import torch  # noqa: E402

# The newest instructions differ from machine to machine, and with them the rows of bfloat16.
CPU = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"}


def main(names: list[str]) -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    known = json.loads(gzip.decompress(OUT.read_bytes())) if names and OUT.exists() else {}
    for name in names or programs.NAMES:
        known[name] = {mode: programs.show("torch", name, mode, **CPU) for mode in programs.MODES}
        print(f"{name:24}", *(f"{mode} {len(found['rows'])} rows" for mode, found in known[name].items()), flush=True)
    text = json.dumps({name: known[name] for name in programs.NAMES}, separators=(",", ":"))
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(len(OUT.read_bytes()), "bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
