"""torch.fx: a module's forward as a graph of its calls, which can be looked at, changed and run."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import (
    _symbolic_trace,
    graph,
    graph_module,
    immutable_collections,
    interpreter,
    node,
    operator_schemas,
    passes,
    proxy,
    subgraph_rewriter,
    traceback,
)
from ._symbolic_trace import PH, ProxyableClassMeta, Tracer, is_fx_tracing, symbolic_trace, wrap
from .graph import CodeGen, Graph
from .graph_module import GraphModule
from .interpreter import Interpreter, Transformer
from .node import Node, has_side_effect, map_arg
from .proxy import Proxy
from .subgraph_rewriter import replace_pattern

__all__ = ["CodeGen", "Graph", "GraphModule", "Interpreter", "Node", "PH", "Proxy", "ProxyableClassMeta", "Tracer",
           "Transformer", "has_side_effect", "is_fx_tracing", "map_arg", "replace_pattern", "symbolic_trace", "wrap"]

_answer_for_missing(__name__)
