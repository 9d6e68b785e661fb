"""Record in which order torch lists the signatures of every function of ours; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "mindtorch_v2" / "dispatch")]
DATA = ROOT / "tests" / "mindtorch_v2" / "data" / "signatures.json.gz"

if __name__ == "__main__":
    import signature_lists

    from mindtorch_v2.api.install import FUNCTIONS
    lists = {name: signature_lists.listed(torch, name) for name in sorted(FUNCTIONS)}
    facts = {name: signatures for name, signatures in lists.items() if len(signatures) > 1}
    DATA.write_bytes(gzip.compress(json.dumps(facts, indent=1).encode(), mtime=0))
    print(f"{DATA.name}: {len(facts)} functions")
