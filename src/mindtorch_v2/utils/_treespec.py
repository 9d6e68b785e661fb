"""What is left of a tree without its leaves."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable

_DICTS = (dict, OrderedDict, defaultdict)


class TreeSpec:
    """A kind of container, what it needs beside its children, and the structures of those."""

    def __init__(self, type: type | None, context, children_specs: list[TreeSpec], node=None):
        if node is None and type is not None:
            from ._pytree_registry import SUPPORTED_NODES
            node = SUPPORTED_NODES[type]
        self.type = type
        self.context = context
        self._children = children_specs
        self._node = node
        self.num_children = len(children_specs)
        self.num_nodes = 1 + sum(child.num_nodes for child in children_specs)
        self.num_leaves = 1 if type is None else sum(child.num_leaves for child in children_specs)

    def __reduce__(self) -> tuple:
        return type(self), () if self.type is None else (self.type, self.context, self._children)

    def is_leaf(self) -> bool:
        return self.type is None

    def children(self) -> list[TreeSpec]:
        return list(self._children)

    def child(self, index: int) -> TreeSpec:
        return self._children[index]

    @property
    def children_specs(self) -> list[TreeSpec]:
        """torch's old name of children()."""
        import warnings
        warnings.warn("`treespec.children_specs` is deprecated. Use `treespec.child(index)` to access a single child, "
                      "or `treespec.children()` to get all children.", FutureWarning, stacklevel=2)
        return self.children()

    def unflatten(self, leaves: Iterable):
        """A tree of this structure around these leaves."""
        given = leaves if isinstance(leaves, (list, tuple)) else list(leaves)
        if len(given) != self.num_leaves:
            raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(given)} but the spec refers to a "
                             f"pytree that holds {self.num_leaves} items ({self}).")
        return self._build(iter(given))

    def _build(self, leaves):
        if self.type is None:
            return next(leaves)
        return self._node.unflatten_fn([child._build(leaves) for child in self._children], self.context)

    def flatten_up_to(self, tree) -> list:
        """What stands in another tree where this structure has leaves."""
        subtrees: list = []
        self._match(tree, subtrees)
        return subtrees

    def _match(self, tree, subtrees: list) -> None:
        if self.type is None:
            subtrees.append(tree)
            return
        if self.type in _DICTS and type(tree) in _DICTS:
            children = self._by_key(tree)
        elif (kind := self._kind_of(tree)) is not self.type:
            raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {kind!r}.")
        else:
            children, context = self._node.flatten_fn(tree)
            if len(children) != self.num_children:
                raise ValueError(f"Node arity mismatch; expected {self.num_children}, but got {len(children)}.")
            if context != self.context and not hasattr(tree, "maxlen"):  # a deque may have another limit
                raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
        for child, spec in zip(children, self._children):
            spec._match(child, subtrees)

    @staticmethod
    def _kind_of(tree) -> type:
        from ._pytree_registry import _get_node_type
        return _get_node_type(tree)

    def _by_key(self, tree: dict) -> list:
        keys = self.context[1] if self.type is defaultdict else self.context
        if set(keys) != set(tree):
            missing, extra = set(keys) - set(tree), set(tree) - set(keys)
            told = "".join(f" {word} key(s): {names};" for word, names in (("missing", missing), ("extra", extra))
                           if names)
            raise ValueError(f"Node keys mismatch;{told[:-1]}.")
        return [tree[key] for key in keys]

    def __eq__(self, other) -> bool:
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return self.type is other.type and self.context == other.context and self._children == other._children

    def __hash__(self) -> int:
        return hash((self.type, str(self.context), tuple(self._children)))

    def __repr__(self, indent: int = 0) -> str:
        if self.type is None:
            return "*"
        parts = (",\n" + " " * (indent + 2)).join(child.__repr__(indent + 2) for child in self._children)
        return f"TreeSpec({self.type.__name__}, {self.context}, [{parts}])"


class LeafSpec(TreeSpec):
    """The structure of a leaf."""

    def __init__(self):
        super().__init__(None, None, [])


LEAF = LeafSpec()
