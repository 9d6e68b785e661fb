"""What a statement about sparse tensors says, in plain values, of PyTorch to record and of mindtorch_v2 to test."""

from __future__ import annotations

import gc
import warnings

from . import cases


def scope(torch) -> dict:
    """The tensors that statements speak of."""
    names = {"torch": torch}
    for line in cases.SETUP:
        exec(line, names)  # noqa: S102 - our own lines
    return names


def run(names: dict, statement: str):
    """The value of the last part of a statement."""
    *parts, last = statement.split("; ")
    for part in parts:
        exec(part, names)  # noqa: S102 - our own lines
    return eval(last, names)  # noqa: S307 - our own lines


def answer(torch, statement: str) -> object:
    """What a statement says: a value, or a complaint."""
    names = scope(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return described(torch, run(names, statement))
        except Exception as error:  # noqa: BLE001 - whatever it says
            return ["error", type(error).__name__, str(error).split(" If you are a Facebook")[0]]


def rows(torch, statement: str) -> list:
    """The rows of a statement's last part with their depth, and what was allocated and freed among them."""
    names = scope(torch)
    *parts, last = statement.split("; ")
    for part in parts:
        exec(part, names)  # noqa: S102 - our own lines
    code = compile(last, "statement", "eval")
    gc.collect()  # what earlier statements left behind goes before the profile begins
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        kept = eval(code, names)  # noqa: S307 - our own lines
    shown: list = []
    born: set = set()
    for event in profile.profiler.kineto_results.experimental_event_tree():
        _walk(event, 0, shown, born)
    del kept
    return shown


def _walk(event, depth: int, shown: list, born: set) -> None:
    """Note an event and those below it; of frees only those of memory that the profile saw allocated."""
    if event.typed[0].name == "Allocation":
        size, place = event.typed[1].alloc_size, event.typed[1].ptr
        if size > 0:
            born.add(place)
        if place in born:
            shown.append([depth, size])
    else:
        shown.append([depth, event.name])
    for child in event.children:
        _walk(child, depth + 1, shown, born)


def described(torch, value) -> object:
    """A value as JSON holds it."""
    if isinstance(value, torch.Tensor):
        return _tensor(torch, value)
    if isinstance(value, (list, tuple)):
        return [described(torch, item) for item in value]
    if isinstance(value, (torch.dtype, torch.layout)):
        return str(value)
    return value if isinstance(value, (bool, int, float, str, type(None))) else type(value).__name__


def _tensor(torch, tensor) -> dict:
    facts = {"layout": str(tensor.layout), "shape": list(tensor.shape), "dtype": str(tensor.dtype),
             "requires_grad": tensor.requires_grad,
             "grad_fn": None if tensor.grad_fn is None else tensor.grad_fn.name().rpartition(":")[2]}
    with torch.no_grad():
        plain = tensor.detach()
        if tensor.layout == torch.strided:
            facts["values"] = plain.tolist()
        elif tensor.layout == torch.sparse_coo:
            facts.update(indices=plain._indices().tolist(), values=plain._values().tolist(),
                         is_coalesced=plain.is_coalesced())
        else:
            by_rows = tensor.layout in (torch.sparse_csr, torch.sparse_bsr)
            first, second = ("crow_indices", "col_indices") if by_rows else ("ccol_indices", "row_indices")
            facts.update(compressed=getattr(plain, first)().tolist(), plain=getattr(plain, second)().tolist(),
                         values=plain.values().tolist())
    return facts
