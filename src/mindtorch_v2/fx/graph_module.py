"""GraphModule: a module whose forward is a graph's code."""

from __future__ import annotations

import copy
import linecache
from typing import Any

from ..nn.modules.module import Module
from .graph import Graph

_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
_compiled = 0


def _copy_attr(from_module: Module, to_module: Module, target: str) -> None:
    """Let one module have what another has under a dotted name, with empty modules on the way."""
    *path, field = target.split(".")
    for part in path:
        source, place = getattr(from_module, part), getattr(to_module, part, None)
        if source is place:
            return
        if place is None:
            place = Module()
            setattr(to_module, part, place)
        from_module, to_module = source, place
    value = getattr(from_module, field)
    if field in getattr(from_module, "_buffers", {}):
        to_module.register_buffer(field, value)
    else:
        setattr(to_module, field, value)


def _assign_attr(value: Any, to_module: Module, target: str) -> None:
    """Let a module have a value under a dotted name."""
    *path, field = target.split(".")
    for part in path:
        if not hasattr(to_module, part):
            setattr(to_module, part, Module())
        to_module = getattr(to_module, part)
    setattr(to_module, field, value)


class _CodeOnlyModule(Module):
    """The parts of a module, which code refers to."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__()
        self.__dict__ = body


def _rebuilt(body: dict[str, Any], name: str, source: str, functions: dict[str, Any]) -> GraphModule:
    """A module from its parts and its code, which is recorded again."""
    from ._symbolic_trace import Tracer

    class Whole(Tracer):
        def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
            return True

    class Coded(_CodeOnlyModule):
        forward = _function(source, functions)

    parts = Coded(body)
    return GraphModule(parts, Whole().trace(parts), name)


def _function(source: str, names: dict[str, Any]):
    """The function of a source, whose lines tracebacks show."""
    global _compiled
    _compiled += 1
    filename = f"<eval_with_key>.{_compiled}"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace = dict(names)
    exec(compile(source, filename, "exec"), namespace)  # noqa: S102  the code that the graph stands for
    return namespace["forward"]


class GraphModule(Module):
    """A module made from a graph: it has what the graph uses of another module, or of a dict."""

    def __new__(cls, *args, **kwargs):
        for ancestor in cls.__mro__:
            if ancestor.__name__ == "GraphModuleImpl":
                return super().__new__(cls)

        class GraphModuleImpl(cls):
            """One class for each, as its forward is the class's."""

        return super().__new__(GraphModuleImpl)

    def __init__(self, root: Module | dict[str, Any], graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        type(self).__name__ = class_name
        targets = [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            self.training = root.training
            for target in targets:
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for target in sorted(targets, key=lambda target: target.count(".")):
                if target not in root:
                    raise RuntimeError(f"GraphModule was constructed with a dictionary root, but {target} is referred "
                                       "to by the graph and is not among its keys")
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError("Unsupported type " + str(root) + " passed for root!")
        self.graph = graph
        self.meta: dict[str, Any] = {}

    @property
    def graph(self) -> Graph:
        """The graph; recompile() after changing it."""
        return self._graph

    @graph.setter
    def graph(self, g: Graph) -> None:
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self.__dict__["_graph"] = g
        g.owning_module = self
        self.recompile()

    def recompile(self):
        """Make forward of the graph as it is now."""
        code = self._graph.python_code()
        self.__dict__["_code"], self.__dict__["_names"] = code.src, code.globals
        type(self).forward = _function(code.src, code.globals)
        return code

    @property
    def code(self) -> str:
        """The source of forward."""
        return self._code

    def add_submodule(self, target: str, m: Module) -> bool:
        """Have a module under a dotted name."""
        _assign_attr(m, self, target)
        return True

    def delete_submodule(self, target: str) -> bool:
        """Have it no more; whether it was there."""
        path, _, field = target.rpartition(".")
        try:
            owner = self.get_submodule(path)
        except AttributeError:
            return False
        return owner._modules.pop(field, None) is not None

    def delete_all_unused_submodules(self) -> None:
        """Remove modules that the graph does not call."""
        used = [node.target for node in self.graph.nodes if node.op in ("call_module", "get_attr")]
        for name, _ in list(self.named_modules()):
            if name and not any(f"{target}.".startswith(f"{name}.") or f"{name}.".startswith(f"{target}.")
                                for target in used):
                self.delete_submodule(name)

    def print_readable(self, print_output: bool = True, **options) -> str:
        """The code under its class's name."""
        text = f"class {self._get_name()}(torch.nn.Module):\n" + self.code.strip().replace("\n", "\n    ")
        if print_output:
            print(text)
        return text

    def __deepcopy__(self, memo: dict) -> GraphModule:
        body = {k: v for k, v in self.__dict__.items() if k not in ("_graph", "_code", "_names")}
        parts = _CodeOnlyModule(copy.deepcopy(body, memo))
        return type(self).__mro__[1](parts, copy.deepcopy(self.graph), self._get_name())

    def __copy__(self) -> GraphModule:
        return GraphModule(self, self.graph, self._get_name())

    def __reduce__(self):
        body = {k: v for k, v in self.__dict__.items() if k not in ("_graph", "_code", "_names")}
        return _rebuilt, (body, self._get_name(), self.code, _picklable(self._names))

    def __str__(self) -> str:
        hint = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([repr(self), self._code, hint])


class _Torch:
    """torch itself among the names of a code, which pickles by its name."""

    def __reduce__(self):
        return __import__, (__name__.partition(".")[0],)


def _picklable(names: dict[str, Any]) -> dict[str, Any]:
    return {name: _Torch() if name == "torch" else value for name, value in names.items()}
