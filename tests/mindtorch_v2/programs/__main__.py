"""One program in a process of its own, where nothing has run before: python -m programs LIBRARY NAME MODE."""

from __future__ import annotations

import importlib
import json
import sys
import warnings

from . import pack, watch

if __name__ == "__main__":
    library, name, mode = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch = importlib.import_module(library)
    torch.set_num_threads(1)
    json.dump(pack(watch(torch, name, mode)), sys.stdout)
