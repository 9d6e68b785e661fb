"""RewritingTracer: traces functions whose assertions and annotations became calls, which can be recorded."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...nn.modules.module import Module
from .._symbolic_trace import Tracer
from ..graph import Graph


class AST_Rewriter(ast.NodeTransformer):  # noqa: N801  torch's name
    """Writes functions anew; programs add a method for what else is to be written otherwise."""

    def rewrite(self, fn: FunctionType) -> FunctionType:
        """The function as it is written now, with its own globals."""
        tree = ast.fix_missing_locations(self.visit(ast.parse(textwrap.dedent(inspect.getsource(fn)))))
        names = dict(fn.__globals__)
        exec(compile(tree, "", "exec"), names)  # noqa: S102  the program's own function
        written = names[fn.__name__]
        result = FunctionType(written.__code__, fn.__globals__, written.__name__, written.__defaults__,
                              written.__closure__)
        functools.update_wrapper(result, written)
        result.__kwdefaults__ = copy.copy(written.__kwdefaults__)
        return result

    def visit_Assert(self, node: ast.Assert) -> ast.Expr:  # noqa: N802  Python's name
        """``assert a, b`` becomes ``torch._assert(a, b)``."""
        call = ast.parse("torch._assert()", mode="eval").body
        call.args = [node.test, node.msg or ast.Constant(value="")]
        return ast.copy_location(ast.Expr(value=call), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:  # noqa: N802  Python's name
        """``y: T = f(x)`` becomes ``y = annotate(f(x), T)``."""
        call = ast.Call(func=ast.Name(id="annotate", ctx=ast.Load()), args=[node.value, node.annotation], keywords=[])
        return ast.Assign(targets=[node.target], value=call)


class RewritingTracer(Tracer):
    """Records a function as it is written anew."""

    def trace(self, root: Module | Callable, concrete_args: dict[str, Any] | None = None) -> Graph:
        """The graph of a rewritten forward, or function."""
        return super().trace(_rewrite(root), concrete_args)


def _rewrite(what: Module | Callable) -> Module | Callable:
    if not isinstance(what, Module):
        return AST_Rewriter().rewrite(what)

    class RewrittenModule(Module):
        """A module with the parts of another, and its forward written anew."""

    RewrittenModule.forward = AST_Rewriter().rewrite(what.forward)
    rewritten = RewrittenModule()
    rewritten.__dict__.update({key: copy.copy(value) for key, value in what.__dict__.items()})
    return rewritten
