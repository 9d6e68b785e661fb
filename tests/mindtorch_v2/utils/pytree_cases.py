"""Trees of containers, run with torch by tools/record_overrides.py and with ours by the tests."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from time import struct_time

Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    """A dataclass that is a leaf until it is registered."""

    x: int
    y: object


class Custom:
    """A container of the user's own."""

    def __init__(self, *parts):
        self.parts = parts


def cases(torch, pytree) -> dict:
    """What each call returns, as text."""
    p = pytree
    if Custom not in p.SUPPORTED_NODES:
        p.register_pytree_node(Custom, lambda c: (list(c.parts), None), lambda parts, _: Custom(*parts))
        p.register_dataclass(Point)
    trees = {
        "list": [1, [2]],
        "tuple": (1, (2, 3)),
        "dict": {"b": 1, "a": [2]},
        "Pair": Pair(1, [2]),
        "None": None,
        "OrderedDict": OrderedDict(b=1, a=2),
        "defaultdict": defaultdict(int, b=1),
        "deque": deque([1, 2], 5),
        "Point": Point(1, [2]),
        "set": {1},
        "empty": [(), {}, []],
        "Custom": [Custom(1, [2])],
    }
    nested = {"b": 1, "a": [2, (3,)], "n": Pair(4, 5)}
    spec = p.tree_structure(nested)
    calls = {
        **{f"spec of {name}": (lambda t=t: p.tree_flatten(t)[1]) for name, t in trees.items()},
        **{f"leaves of {name}": (lambda t=t: p.tree_leaves(t)) for name, t in trees.items() if name != "set"},
        **{f"text of {name}": (lambda t=t: p.treespec_dumps(p.tree_structure(t))) for name, t in trees.items()},
        **{f"read again, {name}": (lambda t=t: p.treespec_loads(p.treespec_dumps(p.tree_structure(t))))
           for name, t in trees.items()},
        "printed": lambda: p.treespec_pprint(spec),
        "text of another protocol": lambda: p.treespec_dumps(spec, 2),
        "text of none": lambda: p.treespec_dumps([1]),
        "constant without ==": lambda: p.register_constant(Custom),
        "no dataclass": lambda: p.register_dataclass(int),
        "fields that lack": lambda: p.register_dataclass(Point, field_names=["x"]),
        "kinds of tuples": lambda: [p.is_namedtuple(Pair), p.is_namedtuple_class(Pair), p.is_structseq((1,)),
                                    p.is_structseq_class(struct_time), p.is_namedtuple_instance((1,))],
        "map": lambda: p.tree_map(lambda v: v + 1, nested),
        "map two": lambda: p.tree_map(lambda a, b: a + b, [1, (2,)], [3, (4,)]),
        "map, other type": lambda: p.tree_map(max, [1, 2], (3, 4)),
        "map, other size": lambda: p.tree_map(max, [1, 2], [3]),
        "map, other keys": lambda: p.tree_map(max, {"a": 1}, {"b": 1}),
        "map only": lambda: p.tree_map_only(int, str, [1, "a", 2.0]),
        "map only two": lambda: p.tree_map_only((int, float), str, [1, "a", 2.0]),
        "map where": lambda: p.tree_map_only(lambda v: v == 1, str, [1, 2]),
        "any": lambda: [p.tree_any(bool, [0, 1]), p.tree_all(bool, [0, 1]), p.tree_any_only(int, bool, ["a", 0])],
        "is_leaf": lambda: p.tree_leaves([(1, 2)], is_leaf=lambda v: isinstance(v, tuple)),
        "unflatten": lambda: spec.unflatten([1, 2, 3, 4, 5]),
        "too few": lambda: p.tree_unflatten([1], spec),
        "no spec": lambda: p.tree_unflatten([1], 3),
        "equal": lambda: spec == p.tree_structure(nested),
        "counts": lambda: [
            spec.num_leaves,
            spec.num_nodes,
            spec.num_children,
            spec.is_leaf(),
            spec.child(0),
            spec.context,
        ],
        "paths": lambda: [p.keystr(path) for path, _ in p.tree_flatten_with_path(nested)[0]],
        "get": lambda: p.key_get(nested, (p.MappingKey("a"), p.SequenceKey(0))),
        "map with path": lambda: p.tree_map_with_path(lambda k, v: f"{p.keystr(k)}={v}", nested),
        "up to": lambda: spec.flatten_up_to({"b": [1], "a": [2, ((3,),)], "n": Pair(4, 5)}),
        "spread": lambda: p._broadcast_to_and_flatten([1, 2], p.tree_structure([3, [4, 5]])),
        "not spread": lambda: p._broadcast_to_and_flatten((1,), p.tree_structure([3])),
        "registered twice": lambda: p.register_pytree_node(Custom, None, None),
        "arguments": lambda: p.arg_tree_leaves(1, [2], a=3),
        "made": lambda: [
            p.treespec_leaf(),
            p.treespec_tuple([p.treespec_leaf()]),
            p.treespec_dict({"a": p.treespec_leaf()}),
        ],
    }
    facts = {}
    for label, call in calls.items():
        try:
            facts[label] = str(call())
        except Exception as error:
            facts[label] = f"{type(error).__name__}: {error}"
    return facts
