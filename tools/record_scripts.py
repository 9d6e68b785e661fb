"""Record the losses that tests/mindtorch_v2/scripts print under PyTorch: run with torch 2.13.0."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "mindtorch_v2"
sys.path.insert(0, str(TESTS))

import scripts  # noqa: E402
import torch  # noqa: E402


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    recorded = {}
    for name in scripts.NAMES:
        printed = subprocess.check_output([sys.executable, "-W", "ignore", scripts.FOLDER / f"{name}.py"], text=True)
        recorded[name] = scripts.losses(printed)
        print(f"{name:24} {len(recorded[name])} losses, {recorded[name][0]:.4f} to {recorded[name][-1]:.4f}")
    (TESTS / "data" / "scripts.json").write_text(json.dumps(recorded) + "\n")


if __name__ == "__main__":
    main()
