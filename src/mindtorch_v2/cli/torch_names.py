"""The names of torch that a source file uses, read from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_CAUGHT = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(frozen=True)
class Use:
    """One name: where it stands, and whether the program is prepared that it is missing."""

    name: str
    line: int
    guarded: bool


@dataclass
class Names(ast.NodeVisitor):
    """Collects uses of torch in ``uses`` and the other modules that are imported in ``imports``."""

    uses: list[Use] = field(default_factory=list)
    imports: list[tuple[str, int]] = field(default_factory=list)  # module, level of a relative import
    aliases: dict[str, str] = field(default_factory=dict)  # a name of the program: what it stands for in torch
    guards: int = 0

    def visit_Import(self, node: ast.Import) -> None:  # noqa: N802  ast's names
        for alias in node.names:
            if _is_torch(alias.name):
                self._use(alias.name, node)
                self.aliases[alias.asname or "torch"] = alias.name if alias.asname else "torch"
            else:
                self.imports.append((alias.name, 0))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802
        module = node.module or ""
        if node.level or not _is_torch(module):
            self.imports += [(module, node.level)]
            self.imports += [(f"{module}.{alias.name}".lstrip("."), node.level) for alias in node.names]
            return
        for alias in node.names:
            name = module if alias.name == "*" else f"{module}.{alias.name}"
            self._use(name, node)
            if alias.name != "*":
                self.aliases[alias.asname or alias.name] = name

    def visit_Attribute(self, node: ast.Attribute) -> None:  # noqa: N802
        name = self._dotted(node)
        if name is None:
            self.generic_visit(node)
        elif isinstance(node.ctx, ast.Load):
            self._use(name, node)

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        """``F = torch.nn.functional`` is a name for it as an import is."""
        self.visit(node.value)
        name = self._dotted(node.value)
        for target in node.targets:
            self.visit(target)
            if isinstance(target, ast.Name) and name is not None:
                self.aliases[target.id] = name

    def visit_Name(self, node: ast.Name) -> None:  # noqa: N802
        """``for data in ...`` makes another thing of a name that stood for torch.utils.data."""
        if isinstance(node.ctx, ast.Store):
            self.aliases.pop(node.id, None)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:  # noqa: N802
        """Names inside a function are its own: parameters, and what it assigns."""
        body = node.body if isinstance(node.body, list) else [node.body]
        for part in ast.iter_child_nodes(node):  # defaults, annotations and decorators see the names around it
            if part not in body:
                self.visit(part)
        outside = dict(self.aliases)
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                self.aliases.pop(argument.arg, None)
        for part in body:
            self.visit(part)
        self.aliases = outside

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef  # noqa: N815

    def visit_Try(self, node: ast.Try) -> None:  # noqa: N802
        caught = {ast.unparse(handler.type) if handler.type else "Exception" for handler in node.handlers}
        guards = any(name in text for text in caught for name in _CAUGHT)
        self.guards += guards
        for statement in node.body:
            self.visit(statement)
        self.guards -= guards
        for statement in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(statement)

    def visit_If(self, node: ast.If) -> None:  # noqa: N802
        self._visit_guarded(node.test, node.body, node.orelse)

    def visit_IfExp(self, node: ast.IfExp) -> None:  # noqa: N802
        self._visit_guarded(node.test, [node.body], [node.orelse])

    def _visit_guarded(self, test: ast.expr, body: list, orelse: list) -> None:
        """What stands under ``if hasattr(torch, ...)`` or ``if TYPE_CHECKING`` need not be there."""
        guards = "hasattr(" in (text := ast.unparse(test)) or "TYPE_CHECKING" in text
        self.guards += guards
        for node in (test, *body):
            self.visit(node)
        self.guards -= guards
        for node in orelse:
            self.visit(node)

    def _dotted(self, node: ast.expr) -> str | None:
        """The name of torch that an expression stands for."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute) and (base := self._dotted(node.value)) is not None:
            return f"{base}.{node.attr}"
        return None

    def _use(self, name: str, node: ast.stmt | ast.expr) -> None:
        self.uses.append(Use(name, node.lineno, self.guards > 0))


def _is_torch(module: str) -> bool:
    return module.partition(".")[0] == "torch"


def names_in(source: str, filename: str) -> tuple[list[Use], list[tuple[str, int]]]:
    """The uses of torch in a file, and the modules beside torch that it imports."""
    names = Names()
    names.visit(ast.parse(source, filename))
    return names.uses, names.imports


def local_files(imports: list[tuple[str, int]], path: Path, roots: list[Path]) -> Iterator[Path]:
    """The files among ``imports`` that lie beside a program: under its own folder, or that of the importing file."""
    for module, level in imports:
        bases = [path.parents[level - 1]] if 0 < level <= len(path.parents) else roots
        for base in bases:
            place = base.joinpath(*filter(None, module.split(".")))
            yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())
