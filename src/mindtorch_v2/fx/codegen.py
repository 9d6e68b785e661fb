"""CodeGen: writes the function that a graph stands for; programs derive from it to have it written otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..utils import _pytree as pytree
from ..utils._treespec import TreeSpec
from .code_text import Lines, PythonCode
from .node import Argument, Node

_MARK = "# COUNTER: "  # a line that says which node the next ones are of, for as long as lines may be changed
_LINES_BEFORE_FUNCTION = 4
TransformCode = Callable[[list[str]], list[str]]


class CodeGen:
    """Writes the code of graphs."""

    def __init__(self) -> None:
        self._body_transformer: TransformCode | None = None
        self._func_name = "forward"

    def gen_fn_def(self, free_vars: list[str], maybe_return_annotation: str) -> str:
        """The head of the function, for the parameters it has."""
        parameters = free_vars if free_vars[:1] == ["self"] else ["self", *free_vars]
        return f"def {self._func_name}({', '.join(parameters)}){maybe_return_annotation}:"

    def generate_output(self, output_args: Argument, *, descs: Any = None) -> str:
        """The line that returns."""
        return f"return {output_args!r}"

    def process_inputs(self, *args: Any) -> Any:
        """The arguments of the function as the graph takes them."""
        return args

    def process_outputs(self, outputs: Any) -> Any:
        """What the graph returns as the function returns it."""
        return outputs

    def additional_globals(self) -> list[tuple[str, Any]]:
        """More names that the code uses."""
        return []

    def _gen_python_code(self, nodes: Iterable[Node], root_module: str, *, verbose: bool = False) -> PythonCode:
        lines = Lines(nodes, root_module, self.additional_globals(), self.generate_output, verbose)
        body: list[str] = []
        for place, text in lines.write():
            body += [f"{_MARK}{place}\n", f"{text}\n"]
        if not any(node.op == "output" for node in lines.nodes):
            body.append("return None\n" if body else "pass\n")
        if self._body_transformer is not None:
            body = self._body_transformer(body)
        head = self.gen_fn_def(lines.parameters, lines.returns)
        wraps = "\n".join(f'torch.fx.wrap("{name}")' for name in lines.wrapped)
        code, nodes_of_lines = _unmarked("".join(body))
        indented = "\n".join(f"    {line}" for line in code.split("\n"))
        start = wraps.count("\n") + _LINES_BEFORE_FUNCTION + head.count("\n")
        return PythonCode(f"\n{wraps}\n\n{head}\n{indented}", lines.globals, nodes_of_lines, start)


def _unmarked(body: str) -> tuple[str, dict[int, int | None]]:
    """The lines without marks, and the node that each is of, lines counted from the function's head."""
    kept, nodes_of_lines = [], {}
    node: int | None = None
    for line in body.lstrip("\n").split("\n"):
        mark = re.match(rf"{_MARK}(\d+)", line)
        if mark is not None:
            node = int(mark[1])
            continue
        kept.append(line)
        nodes_of_lines[len(kept)] = node
    return "\n".join(kept), nodes_of_lines


class _PyTreeInfo(NamedTuple):
    """How the arguments and the result of a function are made of those of its graph."""

    orig_args: list[str]
    in_spec: TreeSpec
    out_spec: TreeSpec | None


class _PyTreeCodeGen(CodeGen):
    """Writes a function that takes containers apart and puts its result together."""

    def __init__(self, pytree_info: _PyTreeInfo) -> None:
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *args: Any) -> Any:
        """The leaves of the arguments."""
        return pytree.arg_tree_leaves(*args)

    def process_outputs(self, outputs: Any) -> Any:
        """The result, put together."""
        return self._together(outputs)

    def _together(self, leaves: Any) -> Any:
        if self.pytree_info.out_spec is None:
            return leaves
        return pytree.tree_unflatten(leaves if isinstance(leaves, (list, tuple)) else [leaves],
                                     self.pytree_info.out_spec)

    def gen_fn_def(self, free_vars: list[str], maybe_return_annotation: str) -> str:
        """A head that takes the arguments apart."""
        names = self.pytree_info.orig_args
        head = super().gen_fn_def(names or ["*args"], maybe_return_annotation)
        if not free_vars:
            return head
        leaves = ["self"] * (names[:1] == ["self"]) + [re.split(r"[:=]", name)[0].strip() for name in free_vars]
        given = f"[{', '.join(name.lstrip('*') for name in names)}], self._in_spec"
        return f"{head}\n    {', '.join(leaves)}, = fx_pytree.tree_flatten_spec({given})"

    def generate_output(self, output_args: Argument, *, descs: Any = None) -> str:
        """A line that puts the result together."""
        if self.pytree_info.out_spec is None:
            return super().generate_output(output_args)
        return f"return pytree.tree_unflatten({output_args!r}, self._out_spec)"
