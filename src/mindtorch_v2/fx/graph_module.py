"""GraphModule: a module whose forward is a graph's code."""

from __future__ import annotations

import contextlib
import copy
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..nn.modules.module import Module
from .code_text import PythonCode, known_globals
from .codegen import CodeGen, _PyTreeCodeGen
from .graph import Graph
from .module_files import import_block, write_package

_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
_KEPT = ("_state_dict_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks", "_replace_hooks",
         "_create_node_hooks", "_erase_node_hooks", "_deepcopy_hooks")  # what copies keep beside what code uses
# Files that run below a call of torch's, which PyTorch's tracebacks do not show.
_ENGINE = re.compile(r"(?:^|mindtorch_v2.)(?:api|autograd|core|devices|dispatch|opdef|ops)[/\\][\w/\\]+\.pyx?$")
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


def reduce_graph_module(body: dict[str, Any], import_block: str) -> GraphModule:
    """A module from its parts and its code, which is recorded again."""
    names = known_globals()
    exec(import_block, names)  # noqa: S102  the imports of the code
    return _retraced(body, function_of(body.get("_code") or body["code"], names))


def _retraced(body: dict[str, Any], forward: Callable) -> GraphModule:
    from ._symbolic_trace import Tracer
    body = dict(body)
    name, tracer_cls = body.pop("_graphmodule_cls_name", "GraphModule"), body.get("_tracer_cls") or Tracer
    codegen = body.pop("_graph_codegen", None)

    class Whole(tracer_cls):
        def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
            return True

    class Coded(_CodeOnlyModule):
        pass

    Coded.forward = forward
    parts = Coded(body)
    graph = Whole().trace(parts)
    graph._tracer_cls = tracer_cls
    if codegen is not None:
        graph._codegen = codegen
    module = GraphModule(parts, graph, name)
    for key, value in body.items():  # what the code does not use is kept all the same
        if key in ("_parameters", "_buffers", "_modules"):
            for part, held in value.items():
                getattr(module, key).setdefault(part, held)
        elif key not in module.__dict__:
            module.__dict__[key] = value
    return module


def function_of(source: str, names: dict[str, Any], written_at: dict[str, Any] | None = None) -> Callable:
    """The function of a source, whose lines tracebacks show."""
    global _compiled
    _compiled += 1
    filename = f"<eval_with_key>.{_compiled}"
    if written_at:
        filename += " from {co_filename}:{co_firstlineno} in {co_name}".format(**written_at)
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace = dict(names)
    exec(compile(source, filename, "exec"), namespace)  # noqa: S102  the code that the graph stands for
    return namespace["forward"]


def _tell_where(error: BaseException) -> None:
    """Say on stderr which line of the generated code an error came from, if it came from there itself."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _ENGINE.search(frame.filename)]
    if not frames or "eval_with_key" not in frames[-1].filename:
        return
    frame, lines = frames[-1], linecache.getlines(frames[-1].filename)
    print("".join(traceback.format_exception(error)),
          f"Call using an FX-traced Module, line {frame.lineno} of the traced Module's generated forward function:",
          "".join(lines[frame.lineno - 2:frame.lineno]), "~" * len(frame.line) + "~~~ <--- HERE",
          "\n".join(lines[frame.lineno:frame.lineno + 2]), sep="\n", file=sys.stderr)


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
        self._replace_hooks: list[Callable] = []
        self._create_node_hooks: list[Callable] = []
        self._erase_node_hooks: list[Callable] = []
        self._deepcopy_hooks: list[Callable] = []
        targets = [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            self.training = root.training
            for target in targets:
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for target in sorted(targets, key=lambda target: target.count(".")):
                if target not in root:
                    raise RuntimeError(f"Node referenced target {target!r} but that target was not provided in "
                                       "``root``!")
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError("Unsupported type " + str(root) + " passed for root!")
        self.graph = graph
        tracer = graph._tracer_cls
        self._tracer_cls = tracer if tracer is not None and "<locals>" not in tracer.__qualname__ else None
        self._tracer_extras = graph._tracer_extras or {}
        self.meta: dict[str, Any] = dict(getattr(root, "meta", {}))
        for key, value in self.meta.get(_USER_PRESERVED_ATTRIBUTES_KEY, {}).items():
            setattr(self, key, value)

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

    def recompile(self) -> PythonCode:
        """Make forward of the graph as it is now."""
        if isinstance(self._graph._codegen, _PyTreeCodeGen):
            self._in_spec = self._graph._codegen.pytree_info.in_spec
            self._out_spec = self._graph._codegen.pytree_info.out_spec
        code = self._graph.python_code(root_module="self")
        self._code, self._lineno_map, self._prologue_start = code.src, code._lineno_map, code._prologue_start
        type(self).forward = function_of(code.src, code.globals, self._graph._co_fields)
        return code

    def __call__(self, *args, **kwargs):
        try:
            return super().__call__(*args, **kwargs)
        except Exception as error:
            _tell_where(error)
            raise

    @property
    def code(self) -> str:
        """The source of forward."""
        if "_code" not in self.__dict__:
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
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

    def print_readable(self, print_output: bool = True, include_stride: bool = False, include_device: bool = False,
                       colored: bool = False, **options) -> str:
        """The code, and that of the modules in it that have a graph, under their classes' names."""
        text = _readable(self, self._get_name())
        if print_output:
            print(text)
        return text

    def to_folder(self, folder: str | os.PathLike[str], module_name: str = "FxModule") -> None:
        """Write a package from which the module can be imported."""
        write_package(self, Path(folder), module_name)

    def _parts(self) -> dict[str, Any]:
        """What it has, but for its graph."""
        return {key: value for key, value in self.__dict__.items() if key != "_graph"}

    def __deepcopy__(self, memo: dict) -> GraphModule:
        memo[id(self)] = result = type(self).__new__(type(self).__mro__[1])
        parts = _CodeOnlyModule(copy.deepcopy(self._parts(), memo))
        GraphModule.__init__(result, parts, copy.deepcopy(self.graph, memo), self._get_name())
        for name in _KEPT:
            if name in parts.__dict__:
                setattr(result, name, parts.__dict__[name])
        for hook in self._deepcopy_hooks:
            hook(result)
        return result

    def __copy__(self) -> GraphModule:
        copied = GraphModule(self, self.graph, self._get_name())
        self.graph.owning_module = self
        return copied

    def __reduce__(self):
        code = self._graph.python_code(root_module="self")
        body = {key: value for key, value in self._parts().items() if key != "_deepcopy_hooks"}
        body["_graphmodule_cls_name"] = self._get_name()
        if type(self._graph._codegen) is not CodeGen:
            body["_graph_codegen"] = self._graph._codegen
        return reduce_graph_module, (body, import_block(code.globals))

    def _set_replace_hook(self, f: Callable):
        """While inside, tell a function when a node is replaced by another."""
        return _hooked(self._replace_hooks, f)

    def _register_replace_node_hook(self, f: Callable) -> None:
        self._replace_hooks.append(f)

    def _unregister_replace_node_hook(self, f: Callable) -> None:
        self._replace_hooks.remove(f)

    def _register_create_node_hook(self, f: Callable) -> None:
        self._create_node_hooks.append(f)

    def _unregister_create_node_hook(self, f: Callable) -> None:
        self._create_node_hooks.remove(f)

    def _register_erase_node_hook(self, f: Callable) -> None:
        self._erase_node_hooks.append(f)

    def _unregister_erase_node_hook(self, f: Callable) -> None:
        self._erase_node_hooks.remove(f)

    def _register_deepcopy_hook(self, f: Callable) -> None:
        self._deepcopy_hooks.append(f)

    def _unregister_deepcopy_hook(self, f: Callable) -> None:
        self._deepcopy_hooks.remove(f)

    def __str__(self) -> str:
        hint = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([repr(self), self._code, hint])


@contextlib.contextmanager
def _hooked(hooks: list[Callable], hook: Callable) -> Iterator[None]:
    hooks.append(hook)
    try:
        yield
    finally:
        hooks.remove(hook)


def _readable(module: GraphModule, name: str) -> str:
    """A module's code as a class, and under it those of the modules in it."""
    lines = module.graph.python_code(root_module="self", verbose=True).src.lstrip("\n").split("\n")
    text = f"class {name}(torch.nn.Module):\n" + "\n".join(f"    {line}".rstrip() for line in lines)
    for child_name, child in module.named_children():
        if hasattr(child, "print_readable"):
            inner = _readable(child, child_name)
            text = text.rstrip() + "\n\n" + "\n".join(f"    {line}".rstrip() for line in inner.split("\n"))
    return text.rstrip() + "\n"
