"""Programs whose execution traces are compared with torch's, and what is compared; run with torch and with ours."""

from __future__ import annotations


def training(torch, profiler):
    weight = torch.ones(3, 4, requires_grad=True)
    for _ in range(2):
        with profiler.record_function("forward", "first layer"):
            loss = torch.ones(2, 3).mm(weight).relu().sum(dim=0, dtype=torch.float64).mean()
        loss.backward()
        with torch.no_grad():
            weight.sub_(weight.grad, alpha=0.5)
        weight.grad = None


def views(torch, profiler):
    x = torch.arange(24).view(2, 3, 4)
    x[1, :, 1:3].t().contiguous()
    torch.cat([x, x], 1).transpose(0, 2).unsqueeze(1)
    torch.stack([x[0], x[1]]).permute(2, 0, 1).sum()


def numbers(torch, profiler):
    x = torch.full((2, 2), 2.5)
    (x * 3 + 1).add_(x, alpha=2).div(x, rounding_mode="floor")
    x.pow(2).clamp(min=0.5).max(0)
    x.sum().item()
    torch.zeros(2, dtype=torch.int32).to(torch.float64)


PROGRAMS = {"training": training, "views": views, "numbers": numbers}


def shown(trace: dict) -> list[dict]:
    """The nodes of a trace without what differs from run to run: numbers of nodes, tensors, storages and records."""
    ids = {node["id"]: place for place, node in enumerate(trace["nodes"])}
    records = sorted(_attrs(node)["rf_id"] for node in trace["nodes"])
    first = min((a["seq_id"] for a in map(_attrs, trace["nodes"]) if a["seq_id"] >= 0), default=0)
    made = []
    for node in trace["nodes"]:
        attrs, local = _attrs(node), {}
        attrs["rf_id"] = records.index(attrs["rf_id"])
        attrs["fw_parent"] = ids.get(attrs["fw_parent"], -1)
        attrs["seq_id"] -= first if attrs["seq_id"] >= 0 else 0
        made.append({"name": node["name"], "parent": ids[node["ctrl_deps"]], "attrs": attrs,
                     "inputs": _local(node["inputs"], local), "outputs": _local(node["outputs"], local)})
    return made


def _attrs(node: dict) -> dict:
    return {attr["name"]: attr["value"] for attr in node["attrs"]}


def _local(values: dict, known: dict) -> dict:
    """The same with tensors and storages numbered within the node: which inputs and outputs are the same."""
    return {**values, "values": [_renamed(value, known) for value in values["values"]]}


def _renamed(value, known: dict):
    if not isinstance(value, list):
        return value
    if len(value) == 6 and isinstance(value[5], str):
        tensor, storage = (known.setdefault((kind, value[i]), f"{kind}{len(known)}") for i, kind in enumerate("ts"))
        return [tensor, storage, *value[2:]]
    return [_renamed(v, known) for v in value]
