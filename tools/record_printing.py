"""Record how torch prints the tensors of printing_cases.py; run with a Python that has torch and NumPy."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import torch

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
CASES = runpy.run_path(str(TESTS / "core" / "printing_cases.py"))
DATA = TESTS / "data" / "printing.json.gz"
DRAWN = 500


def tensor_of(recipe: dict) -> torch.Tensor:
    dtype = getattr(torch, recipe["dtype"])
    if recipe.get("device") == "meta":
        tensor = torch.empty(recipe["shape"], dtype=dtype, device="meta")
    else:
        tensor = torch.from_numpy(CASES["build"](recipe)).to(dtype)
    if "name" in recipe:
        tensor = tensor.as_subclass(type(recipe["name"], (torch.Tensor,), {}))
    if recipe.get("grad"):
        tensor.requires_grad_(True)
    return tensor.clone() if recipe.get("grad") == "CloneBackward0" else tensor


def printed(recipe: dict) -> dict:
    """The recipe with torch's text added."""
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**recipe.get("options", {}))
    torch.set_default_dtype(getattr(torch, recipe.get("default_dtype", "float32")))
    text = repr(tensor_of(recipe))
    torch.set_default_dtype(torch.float32)
    return recipe | {"text": text}


def option_states() -> list[dict]:
    torch.set_printoptions(profile="default")
    states = []
    for call in CASES["OPTION_CALLS"]:
        torch.set_printoptions(**call)
        states.append({"call": call, "state": dict(torch._tensor_str.get_printoptions())})
    return states


def main() -> None:
    facts = {
        "torch": torch.__version__.partition("+")[0],
        "options": option_states(),
        "written": {subject: [printed(recipe) for recipe in group] for subject, group in CASES["WRITTEN"].items()},
        "drawn": [printed(recipe) for recipe in CASES["drawn_recipes"](DRAWN)],
    }
    # mtime=0: the same facts give the same bytes.
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes, {sum(map(len, facts['written'].values()))} written cases")


if __name__ == "__main__":
    main()
