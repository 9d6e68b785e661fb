"""Run expressions one after the other and print, as JSON lines, what each gives; a crash ends the list there."""

from __future__ import annotations

import json
import pickle  # noqa: F401  for the expressions
import sys
import warnings

import numpy as np  # noqa: F401  for the expressions

import mindtorch_v2 as torch


def shown(value) -> str:
    if isinstance(value, torch.Tensor):
        return f"tensor {tuple(value.shape)} {value.stride()} {value.tolist() if value.numel() < 20 else ''}".strip()
    return repr(value)


def main() -> None:
    warnings.simplefilter("ignore")
    for source in json.load(sys.stdin):
        try:
            outcome = shown(eval(source))  # noqa: S307  the expressions stand in the tests beside this file
        except Exception as error:
            outcome = f"{type(error).__name__}: {error}"
        print(json.dumps([source, outcome]), flush=True)


if __name__ == "__main__":
    main()
