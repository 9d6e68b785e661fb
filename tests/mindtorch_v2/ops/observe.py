"""What a sample shows, on any library with torch's interface: the recorder runs it on torch, the tests on ours."""

from __future__ import annotations

import base64
import re

import numpy as np

# Rows that belong to a library inside PyTorch's build, as docs/DIFFERENCES.md lists them.
ENGINE = re.compile(r"^aten::(mkldnn_|_mkldnn|mkl_|_nnpack|cudnn_is_acceptable|_use_cudnn)")


class Builders:
    """Inputs from a fixed stream of numbers, so that both libraries see the same."""

    def __init__(self, torch, floats: str = "float32"):
        self.torch = torch
        self.rng = np.random.default_rng(7)
        self.floats = floats

    def _tensor(self, array, dtype: str | None = None):
        made = self.torch.from_numpy(np.asarray(array))
        return made if dtype is None else made.to(getattr(self.torch, dtype))

    def f(self, *shape):
        return self._tensor(self.rng.uniform(-2, 2, shape).astype(self.floats))

    def pos(self, *shape):
        return self._tensor(self.rng.uniform(0.5, 2, shape).astype(self.floats))

    def d(self, *shape):
        return self._tensor(self.rng.uniform(-2, 2, shape))

    def i(self, *shape, low=0, high=5):
        return self._tensor(self.rng.integers(low, high, shape))

    def b(self, *shape):
        return self._tensor(self.rng.uniform(0, 1, shape) < 0.5)

    def c(self, *shape):
        made = self.rng.uniform(-2, 2, shape) + 1j * self.rng.uniform(-2, 2, shape)
        return self._tensor(made.astype(np.complex64 if self.floats == "float32" else np.complex128))

    def h(self, *shape):
        made = self.rng.uniform(-2, 2, shape).astype(self.floats)
        return self._tensor(made, "bfloat16" if self.floats == "float32" else None)

    def inputs(self, sample) -> dict:
        names = {k: getattr(self, k) for k in ("f", "pos", "d", "i", "b", "c", "h")}
        return {name: eval(call, {"torch": self.torch, "np": np, **names}) for name, call in sample.inputs}


def evaluate(torch, sample, inputs: dict):
    """The value of a sample's expression; in-place statements are expressions too in torch's interface."""
    scope = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "np": np, **inputs}
    torch.manual_seed(3)
    return eval(sample.expression, scope)


def tensors_of(torch, value) -> list:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_of(torch, v)]
    return []


def encode(torch, value):
    """A value in JSON: tensors by type, shape and bytes."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype)[6:]
        plain = value.detach().to(torch.float32) if dtype == "bfloat16" else value.detach().resolve_conj()
        array = np.array(plain.numpy(), order="C")
        return {"dtype": dtype, "shape": list(value.shape), "data": base64.b64encode(array.tobytes()).decode()}
    if isinstance(value, (list, tuple)):
        return [encode(torch, v) for v in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def decode(saved):
    """The array of an encoded tensor."""
    kind = "float32" if saved["dtype"] == "bfloat16" else saved["dtype"]
    return np.frombuffer(base64.b64decode(saved["data"]), kind).reshape(saved["shape"])


def profile_of(torch, sample) -> dict:
    """The rows and the tree a sample leaves in the profiler."""
    inputs = Builders(torch).inputs(sample)
    options = {"activities": [torch.profiler.ProfilerActivity.CPU], "record_shapes": True, "profile_memory": True,
               "with_flops": True}
    with torch.profiler.profile(**options) as prof:
        kept = evaluate(torch, sample, inputs)
    events = [e for e in prof.events() if e.cpu_parent is None]
    rows = [[r.key, _plain(r.input_shapes), r.count, r.flops, r.cpu_memory_usage, r.self_cpu_memory_usage]
            for r in prof.key_averages(group_by_input_shape=True) if not ENGINE.match(r.key)]
    del kept
    return {"rows": sorted(rows, key=str), "tree": _tree(events)}


def _tree(events) -> list:
    found = []
    for e in sorted(events, key=lambda e: e.time_range.start):
        children = _tree(e.cpu_children)
        found.extend(children if ENGINE.match(e.name) else [[e.name, children]] if children else [e.name])
    return [f for f in found if f != "[memory]"]


def _plain(v):
    return [_plain(x) for x in v] if isinstance(v, (list, tuple)) else v


def differentiated(torch, sample, floats: str) -> tuple[dict, list]:
    """The floating inputs of a sample, and those of its results that lead back to them."""
    inputs = Builders(torch, floats).inputs(sample)
    tensors = {k: t for k, t in inputs.items() if isinstance(t, torch.Tensor)}
    leaves = {k: t for k, t in tensors.items() if t.is_floating_point() or t.is_complex()}
    for t in leaves.values():
        t.requires_grad_(True)
    outs = tensors_of(torch, evaluate(torch, sample, inputs))
    return leaves, [t for t in outs if t.requires_grad and t.grad_fn is not None] if leaves else []


def starts_for(torch, outs, rng) -> list:
    return [torch.from_numpy(np.asarray(rng.uniform(0.5, 1.5, tuple(t.shape)))).to(t.dtype) for t in outs]


def gradients_of(torch, sample) -> dict:
    """The node a sample makes and the gradients of its floating inputs."""
    leaves, outs = differentiated(torch, sample, "float32")
    if not outs:
        return {"node": None, "grads": {}}
    starts = starts_for(torch, outs, np.random.default_rng(11))
    found = torch.autograd.grad(outs, list(leaves.values()), starts, allow_unused=True)
    return {"node": outs[0].grad_fn.name(), "grads": {k: encode(torch, g) for k, g in zip(leaves, found)}}


def second_gradients_of(torch, sample) -> dict:
    """The gradients of a sample's gradients, by its inputs and by where they started; without those that are zero."""
    leaves, outs = differentiated(torch, sample, "float64")
    rng = np.random.default_rng(11)
    starts = [t.requires_grad_(True) for t in starts_for(torch, outs, rng)]
    if not outs:
        return {}
    found = torch.autograd.grad(outs, list(leaves.values()), starts, allow_unused=True, create_graph=True)
    again = [g for g in found if g is not None and g.requires_grad]
    wanted = leaves | {f"start {i}": t for i, t in enumerate(starts)}
    if not again:
        return {}
    found = torch.autograd.grad(again, list(wanted.values()), starts_for(torch, again, rng), allow_unused=True)
    return {k: encode(torch, g) for k, g in zip(wanted, found) if g is not None and bool((g != 0).any())}


def tangents_of(torch, sample) -> dict:
    """The tangents of a sample's results, each as a sum with weights; None where a result has none."""
    ad = torch.autograd.forward_ad
    inputs = Builders(torch, "float64").inputs(sample)
    rng = np.random.default_rng(12)
    wanted = {k: t for k, t in inputs.items()
              if isinstance(t, torch.Tensor) and (t.is_floating_point() or t.is_complex())}
    with ad.dual_level():
        duals = {k: ad.make_dual(t, tangent) for (k, t), tangent in
                 zip(wanted.items(), starts_for(torch, wanted.values(), rng))}
        results = tensors_of(torch, evaluate(torch, sample, inputs | duals))
        found = [ad.unpack_dual(t).tangent for t in results]
    return {"tangents": [None if t is None else _weighed(torch, t, rng) for t in found]}


def _weighed(torch, tangent, rng) -> list:
    weights = rng.uniform(0.5, 1.5, tuple(tangent.shape))
    total = (tangent.detach().resolve_conj().to(torch.complex128).numpy() * weights).sum()
    return [str(tangent.dtype), list(tangent.shape), float(total.real), float(total.imag)]


def attempt(observe, *args):
    """What an observation gives, or the error it ends in."""
    try:
        return observe(*args)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}".split("\nException raised")[0]}


def value_of(torch, sample) -> dict:
    return {"value": encode(torch, evaluate(torch, sample, Builders(torch).inputs(sample)))}


def described(torch, value):
    """What can be told of a value without its numbers: of tensors their type, shape and strides."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype)[6:], list(value.shape), list(value.stride())]
    if isinstance(value, (list, tuple)):
        return [described(torch, v) for v in value]
    return type(value).__name__


def without_values(torch, value):
    """The same tensors on the meta device."""
    if isinstance(value, torch.Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    if isinstance(value, (list, tuple)):
        return type(value)(without_values(torch, v) for v in value)
    return value


def on_meta(torch, sample) -> dict:
    """What a sample gives where no tensor has values."""
    inputs = {k: without_values(torch, v) for k, v in Builders(torch).inputs(sample).items()}
    with torch.device("meta"):
        return {"described": described(torch, evaluate(torch, sample, inputs))}


def on_cpu(torch, sample) -> dict:
    """The same where they have."""
    return {"described": described(torch, evaluate(torch, sample, Builders(torch).inputs(sample)))}
