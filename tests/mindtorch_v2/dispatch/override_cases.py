"""Programs with tensor subclasses and modes, run with torch by tools/record_overrides.py and with ours by the tests.

Each takes the module to use as ``torch`` and tells, in words that JSON can hold, what was seen.
"""

from __future__ import annotations

import contextlib
import copy
import pickle


class Watched:
    """Makes a subclass whose ``__torch_function__`` notes what it is asked, and runs one expression at a time."""

    def __init__(self, torch):
        self.torch = torch
        self.seen = seen = []

        class Noted(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                seen.append([func.__name__, [t.__name__ for t in types], len(args), sorted(kwargs or ())])
                return super().__torch_function__(func, types, args, kwargs or {})

        self.kind = Noted

    def of(self, *shape, dtype=None, **options):
        return self.torch.ones(*shape, dtype=dtype, **options).as_subclass(self.kind)

    def run(self, expression):
        self.seen.clear()
        try:
            made = type(expression()).__name__
        except Exception as error:
            made = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        return [made, list(self.seen)]


def function_cases(torch) -> dict:
    """What ``__torch_function__`` is asked, expression by expression, and the type of what comes out."""
    w = Watched(torch)
    x, y, i, z = w.of(2, 3), torch.ones(2, 3), w.of(2, dtype=torch.int64), w.of(())
    p, F = torch.nn.Parameter(torch.ones(3, 2)), torch.nn.functional  # noqa: N806
    target = torch.zeros(2, dtype=torch.int64)

    class Narrower(w.kind):
        pass

    cases = {
        "x + y": lambda: x + y,
        "y + x": lambda: y + x,
        "1 + x": lambda: 1 + x,
        "1 - x": lambda: 1 - x,
        "2 ** x": lambda: 2**x,
        "5 % x": lambda: 5 % x,
        "5 // x": lambda: 5 // x,
        "x // 2": lambda: x // 2,
        "x += 1": lambda: x.__iadd__(1),
        "add(x, y)": lambda: torch.add(x, y),
        "x.add(y)": lambda: x.add(y),
        "by name": lambda: torch.add(input=x, other=y),
        "alpha": lambda: x.add(y, alpha=2),
        "x == y": lambda: x == y,
        "x < y": lambda: x < y,
        "-x": lambda: -x,
        "abs(x)": lambda: abs(x),
        "~i": lambda: ~i,
        "x ** 2": lambda: x**2,
        "x @ p": lambda: x @ p,
        "p @ x": lambda: p @ x,
        "i & i": lambda: i & i,
        "1 & i": lambda: 1 & i,
        "x / 2": lambda: x / 2,
        "x % 2": lambda: x % 2,
        "x[0]": lambda: x[0],
        "y[i]": lambda: y[i],
        "x[0] = 1": lambda: x.__setitem__(0, 1.0),
        "y[0] = z": lambda: y.__setitem__(0, z),
        "len": lambda: len(x),
        "list": lambda: list(x),
        "1 in x": lambda: 1 in x,
        "bool": lambda: bool(z),
        "float": lambda: float(z),
        "int": lambda: int(z),
        "complex": lambda: complex(z),
        "shape": lambda: x.shape,
        "size()": lambda: x.size(),
        "size(0)": lambda: x.size(0),
        "ndim": lambda: x.ndim,
        "dim()": lambda: x.dim(),
        "numel()": lambda: x.numel(),
        "stride()": lambda: x.stride(),
        "device": lambda: x.device,
        "layout": lambda: x.layout,
        "T": lambda: x.T,
        "grad": lambda: x.grad,
        "requires_grad": lambda: x.requires_grad,
        "grad = None": lambda: setattr(x, "grad", None),
        "requires_grad = False": lambda: setattr(x, "requires_grad", False),
        "del grad": lambda: x.__delattr__("grad"),
        "is_leaf": lambda: x.is_leaf,
        "data": lambda: x.data,
        "_version": lambda: x._version,
        "nbytes": lambda: x.nbytes,
        "hash": lambda: hash(x),
        "detach": lambda: x.detach(),
        "clone": lambda: x.clone(),
        "float()": lambda: x.float(),
        "to": lambda: x.to(torch.float64),
        "numpy": lambda: x.numpy(),
        "tolist": lambda: x.tolist(),
        "item": lambda: z.item(),
        "type": lambda: x.type(),
        "requires_grad_": lambda: w.of(2).requires_grad_(),
        "cat": lambda: torch.cat([x, y]),
        "stack": lambda: torch.stack((y, x)),
        "where": lambda: torch.where(y > 0, x, y),
        "split": lambda: torch.split(x, 1),
        "x.split": lambda: x.split(1),
        "max": lambda: torch.max(x, dim=0),
        "view": lambda: x.view(6),
        "einsum": lambda: torch.einsum("ij,ij->i", x, y),
        "einsum of a pair": lambda: torch.einsum("ij,ij->i", (x, y)),
        "einsum by numbers": lambda: torch.einsum(x, [0, 1], y, [0, 1], [0]),
        "sum": lambda: x.sum(),
        "torch.sum": lambda: torch.sum(x),
        "F.relu": lambda: F.relu(x),
        "relu": lambda: torch.relu(x),
        "F.linear": lambda: F.linear(x, y),
        "F.mse_loss": lambda: F.mse_loss(x, y),
        "F.softmax": lambda: F.softmax(x, -1),
        "F.dropout": lambda: F.dropout(x),
        "F.layer_norm": lambda: F.layer_norm(x, (3,)),
        "F.gelu": lambda: F.gelu(x),
        "F.cross_entropy": lambda: F.cross_entropy(x, target),
        "F.embedding": lambda: F.embedding(i, y),
        "ones_like": lambda: torch.ones_like(x),
        "new_ones": lambda: x.new_ones(3),
        "tensor": lambda: torch.tensor(2.0),
        "copy": lambda: copy.copy(x),
        "fill_": lambda: x.fill_(1),
        "allclose": lambda: torch.allclose(x, y),
        "out=": lambda: torch.add(y, y, out=w.of(2, 3)),
        "broadcast": lambda: torch.broadcast_tensors(x, y),
        "is_floating_point": lambda: torch.is_floating_point(x),
        "is_tensor": lambda: torch.is_tensor(x),
        "subclass of both": lambda: x + x.as_subclass(Narrower),
        "as_subclass": lambda: x.as_subclass(torch.Tensor),
        "unbind": lambda: x.unbind(),
        "nonzero": lambda: x.nonzero(),
        "norm": lambda: torch.norm(x),
        "x.norm": lambda: x.norm(),
        "unique": lambda: torch.unique(x),
        "topk": lambda: torch.topk(x, 1),
        "meshgrid": lambda: torch.meshgrid(y[0], w.of(2), indexing="ij"),
        "atleast": lambda: torch.atleast_2d(x),
        "backward": lambda: w.of((), requires_grad=True).backward(),
        "foreach": lambda: torch._foreach_add([x, y], 1),
        "hook": lambda: w.of((), requires_grad=True).register_hook(lambda g: g),
        "Linear": lambda: torch.nn.Linear(3, 2)(x),
        "Parameter": lambda: torch.nn.Parameter(x),
        "p * 2": lambda: p * 2,
        "overload": lambda: torch.ops.aten.add.Tensor(x, y),
        "packet": lambda: torch.ops.aten.add(x, y),
        "init": lambda: torch.nn.init.zeros_(x),
        "format": lambda: f"{z}",
        "format 0.2f": lambda: f"{torch.ones(()):.2f}",
    }
    return {label: w.run(case) for label, case in cases.items()}


def dispatch_cases(torch, python_dispatch, tree_map, tree) -> dict:
    """What ``__torch_dispatch__`` is asked by modes and wrappers, and the rows around it."""
    seen: list = []

    def note(who, func, types, args, kwargs):
        seen.append([who, str(func), [t.__name__ for t in types], len(args), sorted(kwargs or ())])

    class Mode(python_dispatch.TorchDispatchMode):
        def __init__(self, name="mode"):
            super().__init__()
            self.name = name

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            note(self.name, func, types, args, kwargs)
            return func(*args, **(kwargs or {}))

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner, requires_grad=False):
            return torch.Tensor._make_wrapper_subclass(
                cls,
                inner.size(),
                strides=inner.stride(),
                dtype=inner.dtype,
                device=inner.device,
                requires_grad=requires_grad,
            )

        def __init__(self, inner, requires_grad=False):
            self.inner = inner

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            note("wrapper", func, types, args, kwargs)
            args, kwargs = tree_map(lambda t: t.inner if isinstance(t, cls) else t, (args, kwargs or {}))
            return tree_map(lambda t: cls(t) if isinstance(t, torch.Tensor) else t, func(*args, **kwargs))

    def within(case, *modes):
        with contextlib.ExitStack() as stack:
            for mode in modes:
                stack.enter_context(mode)
            return case()

    def mode(case, *modes):
        return lambda: within(case, *(modes or (Mode(),)))

    x, g, out = torch.ones(2, 3), torch.ones(2, 3, requires_grad=True), torch.empty(2, 3)
    F, W = torch.nn.functional, Wrapper  # noqa: N806
    w = W(torch.ones(2, 3), requires_grad=True)
    cases = {
        "mode: x + x": mode(lambda: x + x),
        "mode: g + x": mode(lambda: g + x),
        "mode: x + 1": mode(lambda: x + 1),
        "mode: linear": mode(lambda: F.linear(x, x)),
        "mode: alpha": mode(lambda: torch.add(x, x, alpha=2)),
        "mode: inference": mode(lambda: torch.inference_mode()(lambda: F.linear(x, x))()),
        "two modes": mode(lambda: x.t(), Mode("outer"), Mode("inner")),
        "mode: x[0, 1:]": mode(lambda: x[0, 1:]),
        "mode: tensor": mode(lambda: torch.tensor([1.0, 2.0])),
        "mode: item": mode(lambda: x.sum().item()),
        "mode: sum": mode(lambda: x.sum(1, keepdim=True)),
        "mode: cat": mode(lambda: torch.cat([x, x])),
        "mode: out=": mode(lambda: torch.add(x, x, out=out)),
        "mode: shape": mode(lambda: x.shape),
        "mode: add_": mode(lambda: out.add_(1)),
        "mode: max": mode(lambda: torch.max(x, 0)),
        "wrapper + wrapper": lambda: W(x) + W(x),
        "x + wrapper": lambda: x + W(x),
        "wrapper: t": lambda: w.t(),
        "wrapper: linear": lambda: F.linear(W(x), W(x)),
        "wrapper: view": lambda: W(x).view(6),
        "wrapper: add_": lambda: W(x).add_(1),
        "wrapper: detach": lambda: w.detach(),
        "wrapper: to": lambda: w.to(torch.float64),
        "wrapper: item": lambda: W(torch.ones(())).item(),
        "wrapper in mode": mode(lambda: W(x) + 1),
        "wrapper: numpy": lambda: W(x).numpy(),
        "wrapper: tolist": lambda: W(x).tolist(),
        "wrapper == wrapper": lambda: w == w,
        "wrapper: shape": lambda: (w.shape, w.stride(), w.dtype, w.storage_offset()),
        "g * wrapper": lambda: g * W(x),
        "wrapper: Parameter": lambda: torch.nn.Parameter(W(x)),
        "wrapper: cat": lambda: torch.cat([W(x), x]),
    }
    facts = {}
    for label, case in cases.items():
        seen.clear()
        rows, made = tree(case)
        kind = f"{type(made).__name__} {made}" if isinstance(made, BaseException) else type(made).__name__
        node = getattr(made, "grad_fn", None)
        facts[label] = [kind, node and node.name(), list(seen), rows]
    return facts


def pickled(torch, kind) -> list:
    """A subclass's tensor after copy, deepcopy and pickle."""
    made = torch.arange(6.0).reshape(2, 3).as_subclass(kind)
    made.note = ["kept"]
    return [
        [type(c).__name__, c.tolist(), c.note, c.note is made.note]
        for c in (copy.copy(made), pickle.loads(pickle.dumps(made)))
    ]
