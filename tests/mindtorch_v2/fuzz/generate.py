"""Random calls from schemas. The same seed and number give the same call, whatever else is drawn."""

from __future__ import annotations

from math import prod
from random import Random
from typing import NamedTuple

from mindtorch_v2.opdef import schema as schemas
from mindtorch_v2.opdef.schema import Param, Schema

from . import hints
from .mistakes import MISTAKES, is_tensor

SIZES = (1, 2, 3, 2, 3, 4, 0)
MISTAKEN_CALLS = 0.4  # the share of calls with at least one deliberate mistake
OPERATOR_CALLS = 0.05
GRAPHS = 0.06
UNARY_STEPS = ("sin", "exp", "tanh", "neg", "abs", "sum", "mean", "t", "square", "relu", "clone", "cumsum", "flip",
               "prod")


class Target(NamedTuple):
    """One way to call one overload."""

    form: str
    name: str
    schema: Schema


def targets(operators) -> list[Target]:
    """Every overload as function, method and function of nn.functional; whether these exist, the workers are asked."""
    schemata = [op.schema for op in operators if op.in_python]
    schemata += [schemas.parse(sentence) for sentence in hints.PYTHON_FUNCTIONS]
    found = []
    for schema in schemata:
        found += [Target(form, schema.name, schema) for form in ("function", "functional")]
        has_out = any(p.name == "out" for p in schema.params)
        if schema.params and schema.params[0].kind == schemas.TENSOR and not has_out:
            found.append(Target("method", schema.name, schema))
    return [t for t in found if (t.form, t.name) not in hints.EXCLUDED]


class Generator:
    """Calls of the given targets, each by its number."""

    def __init__(self, targets: list[Target], seed: int, graphs: float = GRAPHS):
        self.seed = seed
        self.graphs = graphs  # the share of calls with a way back
        self.by_name: dict[tuple[str, str], list[Target]] = {}
        for target in targets:
            self.by_name.setdefault((target.form, target.name), []).append(target)
        self.names = [n for n in self.by_name if not n[1].startswith("_")]
        self.hidden = [n for n in self.by_name if n[1].startswith("_")]

    def call(self, number: int) -> dict:
        rng = Random(f"{self.seed}/{number}")
        kind = rng.random()
        if kind >= 1 - self.graphs:
            return self.graph(rng)
        if kind < OPERATOR_CALLS:
            return Draw(rng).operator_call()
        names = self.hidden if self.hidden and rng.random() < 0.08 else self.names
        target = rng.choice(self.by_name[rng.choice(names)])
        return Draw(rng).call(target)

    def graph(self, rng: Random) -> dict:
        """A call that keeps a gradient, up to two steps after it, and the way back."""
        target = rng.choice(self.by_name[rng.choice([n for n in self.names if not n[1].endswith("_")])])
        draw = Draw(rng, grad=True)
        call = draw.call(target)
        steps = [call]
        for _ in range(rng.choice((0, 1, 1, 2))):
            name = rng.choice(UNARY_STEPS)
            rest = {"cumsum": [0], "flip": [[0]]}.get(name, [])
            steps.append({"form": "method", "name": name, "args": [{"step": len(steps) - 1}, *rest], "kwargs": {}})
        return {"form": "graph", "name": call["name"], "steps": steps}


class Draw:
    """The arguments of one call, which know of each other: shapes that fit, an index within its dimension."""

    def __init__(self, rng: Random, grad: bool = False):
        self.rng = rng
        self.grad = grad
        self.base = list(rng.choice(hints.SHAPES))
        self.dtype = rng.choice(hints.FLOATING) if grad else rng.choice(
            hints.DTYPES if rng.random() < 0.5 else hints.USUAL_DTYPES)
        self.mistaken = not grad and rng.random() < MISTAKEN_CALLS
        self.axis = rng.randrange(len(self.base)) if self.base else 0
        self.letters: dict[str, int] = {"e": 2}
        self.count = 0  # tensors so far

    def call(self, target: Target) -> dict:
        form, name, schema = target
        self.form = form
        rng, args, kwargs = self.rng, [], {}
        by_name = False
        for param in schema.params:
            if param.has_default and param.name not in hints.GIVEN and \
                    rng.random() < (0.75 if param.keyword_only else 0.4):
                by_name = True
                continue
            value = self.value(name, param)
            if param.keyword_only or by_name or (args and rng.random() < 0.1):
                by_name = True
                kwargs[_argument_name(param, form)] = value
            else:
                args.append(value)
        call = {"form": form, "name": name, "args": args, "kwargs": kwargs}
        for _ in range(rng.choice((1, 1, 1, 2)) if self.mistaken else 0):
            rng.choice(MISTAKES)(self, call)
        if form == "method" and not (call["args"] and is_tensor(call["args"][0])):
            call["args"].insert(0, self.tensor(self.base))
        return call

    def operator_call(self) -> dict:
        rng = self.rng
        name = rng.choice(("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor",
                           "lshift", "rshift", "eq", "ne", "lt", "ge", "iadd", "isub", "imul", "itruediv", "ifloordiv",
                           "imod", "ipow", "iand", "ior", "ilshift", "neg", "abs", "invert", "pos", *["getitem"] * 8,
                           *["setitem"] * 6))
        first = self.tensor(self.base)
        if name in ("neg", "abs", "invert", "pos"):
            args = [first]
        elif name in ("getitem", "setitem"):
            args = [first, self.subscript()] + ([self.operand()] if name == "setitem" else [])
        else:
            args = [first, self.operand()]
            if name[0] != "i" and rng.random() < 0.3:
                args.reverse()
        return {"form": "operator", "name": name, "args": args, "kwargs": {}}

    def operand(self):
        kind = self.rng.random()
        if kind < 0.5:
            return self.tensor(self.broadcast())
        if kind < 0.9:
            return self.rng.choice(hints.NUMBERS + hints.STRANGE_NUMBERS)
        return self.rng.choice(hints.WRONG) if kind < 0.96 else {"same": 0}

    def subscript(self):
        items = [self.subscript_item(size) for size in self.base[:self.rng.choice((1, 1, 2, 3))]]
        if not items or self.rng.random() < 0.15:
            items.insert(0, self.rng.choice(({"ellipsis": 1}, None, True, False)))
        return items[0] if len(items) == 1 else {"tuple": items}

    def subscript_item(self, size: int):
        rng = self.rng
        kind = rng.randrange(9)
        if kind < 2:
            return rng.randint(-size - (rng.random() < 0.1), max(size, 1) - (rng.random() < 0.9))
        if kind < 5:
            ends = (None, 0, 1, -1, 2, 10, -10)
            return {"slice": [rng.choice(ends), rng.choice(ends), rng.choice((None, 1, 2, 2, -1, 0))]}
        if kind == 5:
            return self.tensor([size], "bool")
        if kind == 6:
            return self.index([rng.choice(SIZES)], size)
        if kind == 7:
            return [rng.randint(0, max(size - 1, 0)) for _ in range(rng.choice((0, 1, 2)))]
        return rng.choice((None, {"ellipsis": 1}, True, 1.5, "a", {"numpy": "int64", "value": 0}))

    # One value for one parameter.

    def value(self, op: str, param: Param):
        hint = hints.SHAPED.get(op, {}).get(param.name)
        if param.kind == schemas.TENSOR:
            return self.hinted_tensor(op, param, hint if isinstance(hint, str) else None)
        if param.name == "reduction" and self.form == "functional":
            return self.rng.choice(("none", "mean", "sum", "other", "mean"))
        if hint is None and self.rng.random() < 0.95:
            hint = hints.BY_NAME.get(param.name)
        if isinstance(hint, str) and " " not in hint:
            return getattr(self, hint)(param)
        if isinstance(hint, (list, tuple)):
            return self.rng.choice(hint)
        return self.by_kind(param)

    def by_kind(self, param: Param):
        rng, kind = self.rng, param.kind
        if param.optional and rng.random() < 0.15:
            return None
        if kind == schemas.SCALAR:
            return rng.choice(hints.NUMBERS if rng.random() < 0.8 else hints.STRANGE_NUMBERS)
        if kind == schemas.INT:
            return rng.choice((0, 1, 2, 3, -1)) if rng.random() < 0.95 else rng.choice((2**31, 2**40, -2**63))
        if kind == schemas.INTS:
            return [rng.choice((0, 1, 2, -1)) for _ in range(rng.choice((0, 1, 2, 3)))]
        if kind == schemas.FLOAT:
            return rng.choice((0.0, 0.5, 1.0, -1.0, 2.0, 1, hints.NAN, hints.INF))
        if kind == schemas.FLOATS:
            return [1.0, 0.5]
        if kind == schemas.BOOL:
            return rng.random() < 0.5
        if kind == schemas.DTYPE:
            return self.any_dtype(param)
        if kind == schemas.STR:
            return "mean"
        if kind == schemas.SCALARS:
            return [rng.choice(hints.NUMBERS) for _ in range(rng.choice((2, 2, 2, 0, 1)))]
        if kind in (schemas.TENSORS, schemas.OPTIONAL_TENSORS):
            return self.tensors(param)
        return None

    def any_dtype(self, param: Param) -> dict:
        return {"dtype": self.dtype if self.rng.random() < 0.3 else self.rng.choice(hints.DTYPES)}

    def dim(self, param: Param):
        rng = self.rng
        ndim = len(self.base)
        one = self.axis if rng.random() < 0.6 else rng.randint(-ndim, max(ndim - 1, 0))
        one = rng.choice((ndim, -ndim - 1, 5, -5, 2**40)) if rng.random() < 0.05 else one
        if param.kind == schemas.INT:
            return None if param.optional and rng.random() < 0.3 else one
        if param.optional and rng.random() < 0.15:
            return None
        return one if param.size and rng.random() < 0.4 else self.dims(param)

    def dims(self, param: Param):
        rng = self.rng
        ndim = len(self.base)
        kind = rng.random()
        if kind < 0.08:
            return rng.choice(([], [0, 0], [0, -1], [9], [-9, 0], 0, {"tuple": [0]}))
        some = rng.sample(range(ndim), rng.randint(min(1, ndim), ndim)) if ndim else rng.choice(([], [0], [-1]))
        return [d - ndim if rng.random() < 0.3 else d for d in some]

    def two_dims(self, param: Param):
        return self.rng.choice(([0, 1], [1, 0], [0, -1], [0, 0], [0, 2], [0]))

    def permutation(self, param: Param):
        return self.rng.sample(range(len(self.base)), len(self.base))

    def size(self, param: Param):
        rng = self.rng
        if rng.random() < 0.06:
            return rng.choice(([-1], [2**40], [2**62, 4], 3, [1.5], [2, -3], [True]))
        return list(rng.choice(hints.SHAPES))

    def strides(self, param: Param):
        return [self.rng.choice((1, 2, 3, 0)) for _ in range(self.rng.choice((1, 2, 1, 0, 3)))]

    def base_shape(self, param: Param):
        return list(self.base)

    def tail(self, param: Param):
        return self.base[self.rng.choice((-1, -1, -2)):]

    def new_shape(self, param: Param):
        rng = self.rng
        count = prod(self.base)
        options = [[count], [-1], [1, count], [count, 1], [-1, 1], self.base[::-1], [2, -1], [-1, -1], [], [0, -1]]
        return list(rng.choice(options + [list(self.base)]))

    def expanded_shape(self, param: Param):
        rng = self.rng
        lead = [rng.choice((2, 3, 1, -1, 0))] if rng.random() < 0.4 else []
        return lead + [rng.choice((3, n, -1)) if n == 1 or rng.random() < 0.1 else n for n in self.base]

    def repeats(self, param: Param):
        if param.kind == schemas.INT:
            return self.rng.choice((0, 1, 2, 3, -1))
        return [self.rng.choice((1, 2, 0, 1, 3)) for _ in range(len(self.base) + self.rng.choice((0, 0, 1, -1)))]

    def split_sizes(self, param: Param):
        size = self.base[self.axis] if self.base else 1
        first = self.rng.randint(0, size)
        return self.rng.choice(([first, size - first], [size], [first], [], [-1, size + 1]))

    # Tensors.

    def tensor(self, shape: list, dtype: str | None = None, fill: str | None = None) -> dict:
        rng = self.rng
        if dtype is None:
            dtype = self.dtype if rng.random() < 0.75 else rng.choice(hints.FLOATING if self.grad else hints.DTYPES)
        fill = fill or rng.choice(("small", "positive", "unit") if self.grad else hints.FILLS)
        value = {"tensor": dtype, "shape": list(shape), "layout": rng.choice(hints.LAYOUTS), "fill": fill,
                 "seed": rng.randrange(20)}
        if self.grad and dtype in hints.FLOATING and fill != "ordered":
            value["grad"] = True
        self.count += 1
        return value

    def index(self, shape: list, size: int, dtype: str | None = None) -> dict:
        """Whole numbers that select among ``size`` elements; now and then one that does not."""
        rng = self.rng
        low = -size if rng.random() < 0.1 else 0
        high = size + (rng.random() < 0.05)
        numbers = [rng.randrange(low, high) for _ in range(7)] if high > low else [0]
        value = self.tensor(shape, dtype or ("int64" if rng.random() < 0.93 else rng.choice(hints.DTYPES)))
        value.pop("grad", None)
        return {**value, "fill": "given", "numbers": numbers}

    def hinted_tensor(self, op: str, param: Param, hint: str | None):
        hint = hint or hints.TENSOR_BY_NAME.get(param.name)
        if param.name == "out" and param.keyword_only:
            return self.out()
        if param.optional and self.rng.random() < 0.4:
            return None
        if hint is None:
            first = self.count == 0
            return self.tensor(self.base if first or self.rng.random() < 0.7 else self.broadcast())
        numbers, _, shape = hint.partition(" ")
        shape = self.shape(self.rng.choice(shape.split("|")))
        if self.count == 0:
            self.base, self.axis = shape, min(self.axis, max(len(shape) - 1, 0))
        return self.numbered(numbers, shape)

    def numbered(self, numbers: str, shape: list):
        size = self.base[self.axis] if self.base else 1
        if numbers == "any":
            return self.tensor(shape)
        if numbers == "none":
            return None
        if numbers in ("positive", "unit"):
            return self.tensor(shape, fill=numbers)
        if numbers == "ordered":
            return {**self.tensor(shape, fill="ordered"), "layout": "contiguous", "seed": 0}
        if numbers == "bool":
            return self.tensor(shape, "bool" if self.rng.random() < 0.95 else None)
        if numbers == "sign":
            return {**self.tensor(shape), "fill": "given", "numbers": [1, -1, -1]}
        sizes = {"index": size, "flat": prod(self.base), "count": 4, "class": self.letter("C"),
                 "vocabulary": self.letter("V")}
        return self.index(shape, sizes[numbers])

    def shape(self, word: str) -> list:
        rng = self.rng
        if word == "base":
            return list(self.base)
        if word == "broadcast":
            return self.broadcast()
        if word == "smaller":
            return [rng.randint(0, n) if rng.random() < 0.2 else n for n in self.base]
        if word == "tail":
            return self.base[-1:]
        return [self.letter(letter) for letter in word]

    def letter(self, letter: str) -> int:
        if letter.isdigit():
            return int(letter)
        if letter not in self.letters:
            self.letters[letter] = self.rng.choice(SIZES[:-1] if letter.isupper() else SIZES)
        return self.letters[letter]

    def broadcast(self) -> list:
        """A shape that fits the base's, mostly."""
        rng = self.rng
        shape = [1 if rng.random() < 0.3 else n for n in self.base]
        shape = shape[rng.randint(0, len(shape)):] if rng.random() < 0.4 else shape
        return [2] + shape if rng.random() < 0.1 else shape

    def out(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.1 and self.count:
            return {"same": rng.randrange(self.count)}
        shape = self.base if kind < 0.5 else [0] if kind < 0.8 else list(rng.choice(hints.SHAPES))
        value = self.tensor(shape, self.dtype if rng.random() < 0.7 else None)
        value.pop("grad", None)
        return value

    def tensors(self, param: Param):
        rng = self.rng
        same = rng.random() < 0.7
        count = rng.choice((2, 2, 3, 1, 0)) if rng.random() < 0.9 else 1
        return [self.tensor(self.base if same else self.broadcast()) for _ in range(count)]

    def chain(self, param: Param):
        return [self.tensor(self.shape(word)) for word in ("ij", "jk", "kl")[:self.rng.choice((1, 2, 2, 3, 0))]]

    def index_tensors(self, param: Param):
        shape = [self.rng.choice(SIZES)]
        return [None if self.rng.random() < 0.2 else self.tensor([n], "bool") if self.rng.random() < 0.2 else
                self.index(shape, n) for n in self.base[:self.rng.choice((1, 1, 2, 3))]]


def _argument_name(param: Param, form: str) -> str:
    return "input" if param.name == "self" else param.name
