"""Record torch's answers to the random calls that the tests replay; run with a Python that has torch.

The calls stand in the data file; ``tools/fuzz_ops.py --write-calls N`` draws them anew from our schemas.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.mindtorch_v2.fuzz.recorded import DATA  # noqa: E402
from tests.mindtorch_v2.fuzz.sides import Side  # noqa: E402

if __name__ == "__main__":
    calls = [call for call, _ in json.loads(gzip.decompress(DATA.read_bytes()))]
    with Side("torch") as torch:
        answers = [torch.perform(call) for call in calls]
    facts = [[call, answer] for call, answer in zip(calls, answers) if not {"crash", "hang", "unbuilt"} & set(answer)]
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), mtime=0))
    print(f"{DATA.name}: {len(facts)} calls")
