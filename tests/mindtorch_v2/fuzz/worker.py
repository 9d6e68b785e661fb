"""A process that performs calls: a line of JSON in, a line of JSON out; ``python worker.py <library>``.

It runs in a process of its own, because a call may end it.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys

MEMORY_LIMIT_BYTES = 16 << 30  # a size that is too large by mistake fails here and not in the machine


def serve(library: str) -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints does not end up between the answers
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from perform import perform
    torch = importlib.import_module(library)
    if hasattr(torch, "set_num_threads"):
        torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    for line in sys.stdin:
        message = json.loads(line)
        answer = _names(torch, message["names"]) if "names" in message else perform(torch, message)
        answers.write(json.dumps(answer) + "\n")


def _names(torch, forms: list) -> dict:
    """Which of the forms ``[form, name]`` there are."""
    places = {"function": torch, "method": torch.Tensor, "functional": torch.nn.functional}
    return {"names": [[form, name] for form, name in forms if hasattr(places[form], name)]}


if __name__ == "__main__":
    serve(sys.argv[1])
