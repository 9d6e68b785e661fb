"""torch.fx beyond tracing: ops recorded, modules split, patterns replaced, other code; texts are PyTorch's."""

from __future__ import annotations

import copy
import operator

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import fx, nn
from mindtorch_v2.fx import subgraph_rewriter
from mindtorch_v2.fx.experimental.const_fold import split_const_subgraphs
from mindtorch_v2.fx.experimental.proxy_tensor import make_fx
from mindtorch_v2.fx.experimental.rewriter import RewritingTracer
from mindtorch_v2.fx.operator_schemas import normalize_function
from mindtorch_v2.fx.passes.dialect.common.cse_pass import CSEPass
from mindtorch_v2.fx.passes.infra.pass_manager import (
    PassManager,
    pass_result_wrapper,
    this_before_that_pass_constraint,
)
from mindtorch_v2.fx.passes.split_module import split_module


def body(module: fx.GraphModule) -> list[str]:
    """The lines of a module's code."""
    return module.code.strip().split("\n    ")


def of_dict(d):
    gradient, = torch.autograd.grad((d["a"].sin() * d["b"]).sum(), d["a"])
    return [gradient]


def written(x):
    x.add_(1)
    return x.view(-1) + x


@pytest.mark.parametrize(("function", "args", "lines"), [
    (of_dict, ({"a": torch.ones(3, requires_grad=True), "b": torch.ones(3)},), [
        "def forward(self, d):",
        "d_1, d_2, = fx_pytree.tree_flatten_spec([d], self._in_spec)",
        "sin = torch.ops.aten.sin.default(d_1)",
        "mul = torch.ops.aten.mul.Tensor(sin, d_2);  sin = None",
        "sum_1 = torch.ops.aten.sum.default(mul);  mul = None",
        "ones_like = torch.ops.aten.ones_like.default(sum_1, pin_memory = False, memory_format = "
        "torch.preserve_format);  sum_1 = None",
        "expand = torch.ops.aten.expand.default(ones_like, [3]);  ones_like = None",
        "mul_1 = torch.ops.aten.mul.Tensor(expand, d_2);  expand = d_2 = None",
        "cos = torch.ops.aten.cos.default(d_1);  d_1 = None",
        "mul_2 = torch.ops.aten.mul.Tensor(mul_1, cos);  mul_1 = cos = None",
        "return pytree.tree_unflatten([mul_2], self._out_spec)"]),
    (written, (torch.ones(3),), [
        "def forward(self, x_1):",
        "add_ = torch.ops.aten.add_.Tensor(x_1, 1);  x_1 = None",
        "view = torch.ops.aten.view.default(add_, [-1])",
        "add = torch.ops.aten.add.Tensor(view, add_);  view = add_ = None",
        "return add"]),
])
def test_make_fx_records_the_ops_that_pytorch_records(function, args, lines):
    module = make_fx(function)(*copy.deepcopy(args))
    assert body(module) == lines
    result, expected = module(*copy.deepcopy(args)), function(*copy.deepcopy(args))
    torch.testing.assert_close(result, expected)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.param, self.linear = nn.Parameter(torch.ones(3, 4)), nn.Linear(4, 5)

    def forward(self, x, y):
        z = self.linear(x + self.param).clamp(min=0.0, max=1.0)
        return z + self.linear(y).clamp(min=0.0, max=1.0)


def test_a_module_is_split_as_pytorch_splits_it():
    module, names = fx.symbolic_trace(Model()), {}
    places = {node: place % 3 for place, node in enumerate(
        node for node in module.graph.nodes if node.op not in ("placeholder", "get_attr", "output"))}
    split = split_module(module, module, places.__getitem__, names)
    assert body(split)[1:] == [
        "param = self.param", "submod_0 = self.submod_0(x, param, y);  x = param = y = None",
        "getitem = submod_0[0]", "getitem_1 = submod_0[1];  submod_0 = None",
        "submod_1 = self.submod_1(getitem, getitem_1);  getitem = getitem_1 = None",
        "getitem_2 = submod_1[0]", "getitem_3 = submod_1[1];  submod_1 = None",
        "submod_2 = self.submod_2(getitem_2, getitem_3);  getitem_2 = getitem_3 = None", "return submod_2"]
    assert names == {"submod_1.linear": "linear", "submod_0.linear": "linear"}
    x = torch.ones(3, 4)
    assert torch.equal(split(x, x), module(x, x))


def test_a_pattern_with_two_results_is_replaced():
    module = fx.symbolic_trace(lambda x: torch.neg(torch.relu(x)) + torch.tanh(x))
    matches = subgraph_rewriter.replace_pattern(module, lambda x: (torch.relu(x), torch.tanh(x)),
                                                lambda x: (torch.sin(x), torch.cos(x)))
    x = torch.ones(2)
    assert len(matches) == 1 and torch.equal(module(x), -torch.sin(x) + torch.cos(x))


def test_filters_decide_which_parts_are_replaced():
    module = fx.symbolic_trace(lambda x: (x + 1) * (x + 2))
    replaced = subgraph_rewriter.replace_pattern_with_filters(
        module, lambda x, n: x + n, lambda x, n: x - n,
        match_filters=[lambda match, graph, pattern: 2 in match.placeholder_nodes])
    assert [len(each.replacements) for each in replaced] == [1] and module(torch.tensor(3)) == 4


def test_passes_run_in_the_order_that_their_rules_ask_for():
    def swap(gm, old, new):
        for node in gm.graph.find_nodes(op="call_function", target=old):
            node.target = new

    first = pass_result_wrapper(lambda gm: swap(gm, operator.add, operator.mul))
    second = pass_result_wrapper(lambda gm: swap(gm, operator.mul, operator.sub))
    manager = PassManager([second, first], [this_before_that_pass_constraint(first, second)])
    assert manager(fx.symbolic_trace(lambda x: x + 2)).graph_module(5) == 3
    manager.add_constraint(this_before_that_pass_constraint(second, first))
    with pytest.raises(RuntimeError, match="Circular dependency detected within the following passes"):
        manager(fx.symbolic_trace(lambda x: x + 2))


def test_the_same_call_is_made_once():
    module = make_fx(lambda x: x.sin() + x.sin())(torch.ones(2))
    assert body(CSEPass()(module).graph_module)[1:] == [
        "sin = torch.ops.aten.sin.default(x_1);  x_1 = None", "add = torch.ops.aten.add.Tensor(sin, sin);  sin = None",
        "return add"]


def test_what_is_made_of_parameters_alone_is_folded():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2))

        def forward(self, x):
            return x * (self.weight + self.weight).relu()

    folded = split_const_subgraphs(Scaled())
    assert [node.op for node in folded.graph.nodes] == ["placeholder", "get_attr", "call_function", "output"]
    assert folded(torch.ones(2)).tolist() == [2, 2] and folded.has_folding_been_run


def test_assertions_are_recorded_when_functions_are_written_anew():
    def checked(x):
        assert x.sum() > 0, "not positive"
        return x

    module = fx.GraphModule({}, RewritingTracer().trace(checked))
    with pytest.raises(AssertionError, match="not positive"):
        module(-torch.ones(1))


@pytest.mark.parametrize(("function", "concrete", "lines"), [
    (lambda x, flag: x if flag else -x, {"flag": False}, [
        "def forward(self, x, flag_1):", "eq = flag_1 == False;  flag_1 = None",
        "_assert = torch._assert(eq, 'flag has been specialized to have value False but got another value');  "
        "eq = _assert = None", "neg = -x;  x = None", "return neg"]),
    (lambda x: x["a"] + x["b"], {"x": {"a": fx.PH, "b": fx.PH}}, [
        "def forward(self, x):", "x_1, x_2, = fx_pytree.tree_flatten_spec([x], self._in_spec)",
        "add = x_1 + x_2;  x_1 = x_2 = None", "return pytree.tree_unflatten([add], self._out_spec)"]),
])
def test_functions_are_specialised_for_values(function, concrete, lines):
    assert body(fx.symbolic_trace(function, concrete_args=concrete)) == lines


def test_code_is_written_as_a_program_says():
    class ListCode(fx.CodeGen):
        def gen_fn_def(self, free_vars, maybe_return_annotation):
            return f"def forward(self, args):\n    {', '.join(free_vars)} = args"

        def process_inputs(self, *inputs):
            return inputs[0]

    module = fx.symbolic_trace(lambda a, b: a - b)
    module.graph.set_codegen(ListCode())
    with module.graph.on_generate_code(lambda before: lambda lines: ["a = a + 1\n", *lines]):
        module.recompile()
    assert module([5, 2]) == 4 and fx.Interpreter(module).run([5, 2]) == 3


def test_nodes_know_the_modules_they_were_recorded_in():
    node = next(node for node in fx.symbolic_trace(nn.Sequential(nn.ReLU())).graph.nodes if node.op == "call_module")
    assert list(node.meta["nn_module_stack"].items()) == [("0", ("0", nn.ReLU))]


def test_arguments_are_named_as_functions_declare_them():
    x = torch.ones(2)
    pair = normalize_function(torch.add, (x, x), {}, (torch.Tensor, torch.Tensor), None, True)
    assert list(pair.kwargs) == ["input", "other", "alpha"] and pair.args == ()
    with pytest.raises(RuntimeError, match="mutable operation aten::sigmoid.out"):
        type("Strict", (fx.Tracer,), {"check_mutable_operations": True})().trace(lambda y: torch.sigmoid(y, out=y))


def test_errors_name_the_node_that_was_run():
    module = fx.symbolic_trace(lambda x: x @ x)
    with pytest.raises(RuntimeError, match=r"While executing %matmul : \[num_users=1\] = call_function"):
        fx.Interpreter(module).run(torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="does not belong to this Graph"):
        other = fx.Graph()
        other.output(next(iter(module.graph.nodes)))
        other.lint()
