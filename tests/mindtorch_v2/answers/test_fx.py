"""torch.fx: graphs of modules, recorded, read, changed and run as PyTorch's; expected texts are PyTorch's output."""

from __future__ import annotations

import copy
import math
import pickle

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import fx, nn
from mindtorch_v2.fx.passes.shape_prop import ShapeProp, TensorMetadata


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.scale = nn.Linear(3, 4), nn.Parameter(torch.ones(4))
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.ReLU())

    def forward(self, x, y=2, *, z=None):
        a = self.linear(x) + self.scale
        b = torch.relu(a).view(-1, 2) * y
        c = torch.cat([a, self.layers(a)], dim=1)
        return {"b": b[0, :], "c": c.sum(-1, keepdim=True)}, a.shape


CODE = """


def forward(self, x, y = 2, z = None):
    linear = self.linear(x);  x = None
    scale = self.scale
    add = linear + scale;  linear = scale = None
    relu = torch.relu(add)
    view = relu.view(-1, 2);  relu = None
    mul = view * y;  view = y = None
    layers_0 = getattr(self.layers, "0")(add)
    layers_1 = getattr(self.layers, "1")(layers_0);  layers_0 = None
    cat = torch.cat([add, layers_1], dim = 1);  layers_1 = None
    getitem = mul[(0, slice(None, None, None))];  mul = None
    sum_1 = cat.sum(-1, keepdim = True);  cat = None
    getattr_1 = add.shape;  add = None
    return ({'b': getitem, 'c': sum_1}, getattr_1)
    """
LINES = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = placeholder[target=y](default=2)
    %z : [num_users=0] = placeholder[target=z](default=None)
    %linear : [num_users=1] = call_module[target=linear](args = (%x,), kwargs = {})
    %scale : [num_users=1] = get_attr[target=scale]
    %add : [num_users=4] = call_function[target=operator.add](args = (%linear, %scale), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%add,), kwargs = {})
    %view : [num_users=1] = call_method[target=view](args = (%relu, -1, 2), kwargs = {})"""


@pytest.fixture
def traced():
    torch.manual_seed(0)
    model = Model()
    return model, fx.symbolic_trace(model), torch.randn(5, 3)


def same(graph_module, model, x) -> bool:
    return torch.equal(graph_module(x)[0]["c"], model(x)[0]["c"])


def test_code_and_nodes_are_those_of_pytorch(traced):
    _, module, _ = traced
    assert module.code == CODE and str(module.graph).startswith(LINES)
    assert str(module).endswith(CODE + "\n# To see more debug info, please use `graph_module.print_readable()`")


def test_a_recorded_module_computes_what_the_module_does(traced):
    model, module, x = traced
    assert same(module, model, x) and isinstance(module, fx.GraphModule) and type(module).__name__ == "Model"
    assert list(module.state_dict()) == ["scale", "linear.weight", "linear.bias", "layers.0.weight", "layers.0.bias"]
    result, shape = fx.Interpreter(module).run(x, 2, None)
    assert torch.equal(result["c"], model(x)[0]["c"]) and shape == (5, 4)


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_compute_the_same(traced, copied):
    model, module, x = traced
    assert same(copied(module), model, x)


def test_a_graph_can_be_changed(traced):
    _, module, x = traced
    node = next(n for n in module.graph.nodes if n.target is torch.relu)
    with pytest.raises(RuntimeError, match="Tried to erase Node relu but it still had 1 users in the graph"):
        module.graph.erase_node(node)
    with module.graph.inserting_after(node):
        other = module.graph.call_function(torch.tanh, (node.args[0],))
    node.replace_all_uses_with(other)
    assert module.graph.eliminate_dead_code()
    module.graph.lint()
    module.recompile()
    assert "tanh = torch.tanh(add)" in module.code and "relu" not in module.code and module(x)


def test_a_transformer_records_something_else(traced):
    class Smooth(fx.Transformer):
        def call_function(self, target, args, kwargs):
            return super().call_function(torch.sigmoid if target is torch.relu else target, args, kwargs)

    code = Smooth(traced[1]).transform().code
    assert "sigmoid = torch.sigmoid(add)" in code and "view = sigmoid.view(-1, 2)" in code


def test_a_graph_can_be_written_by_hand():
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_module("layer", (graph.call_method("neg", (x,)),)))
    layer = nn.Linear(2, 1)
    module = fx.GraphModule({"layer": layer}, graph)
    assert torch.equal(module(torch.ones(1, 2)), layer(-torch.ones(1, 2)))


def unpacks(x):
    a, b = x.chunk(2)
    return a * math.sqrt(2) + torch.nn.functional.relu(b, inplace=False)


@pytest.mark.parametrize(("function", "lines"), [
    (unpacks, ["chunk = x.chunk(2);  x = None", "getitem = chunk[0]", "getitem_1 = chunk[1];  chunk = None",
               "mul = getitem * 1.4142135623730951;  getitem = None",
               "relu = torch.nn.functional.relu(getitem_1, inplace = False);  getitem_1 = None",
               "add = mul + relu;  mul = relu = None", "return add"]),
    (lambda x, y: (2 - x) // y @ x ** 2 < 3, ["sub = 2 - x", "floordiv = sub // y;  sub = y = None",
                                             "pow_1 = x ** 2;  x = None",
                                             "matmul = floordiv @ pow_1;  floordiv = pow_1 = None",
                                             "lt = matmul < 3;  matmul = None", "return lt"]),
    (lambda *a, **k: a[0], ["_a = a", "_k = k", "getitem = _a[0];  _a = None", "return getitem"]),
    (lambda x: x.to(torch.float32, device=torch.device("cpu")),
     ["to = x.to(torch.float32, device = device(type='cpu'));  x = None", "return to"]),
    (lambda x: torch.conv2d(x, torch.ones(1, 1, 1, 1)),
     ["_tensor_constant0 = self._tensor_constant0",
      "conv2d = torch.conv2d(x, _tensor_constant0);  x = _tensor_constant0 = None", "return conv2d"]),
])
def test_functions_are_written_as_pytorch_writes_them(function, lines):
    assert fx.symbolic_trace(function).code.split("\n", 4)[4].strip().split("\n    ") == lines


@pytest.mark.parametrize(("function", "error", "text"), [
    (lambda x: x if x.sum() > 0 else -x, fx.proxy.TraceError,
     "symbolically traced variables cannot be used as inputs to control flow"),
    (lambda x: [row for row in x], fx.proxy.TraceError, "Proxy object cannot be iterated"),
    (lambda x: len(x), RuntimeError, "'len' is not supported in symbolic tracing"),
])
def test_what_cannot_be_recorded_is_refused(function, error, text):
    with pytest.raises(error, match=text):
        fx.symbolic_trace(function)


@fx.wrap
def as_it_is(x):
    return x if x.sum() > 0 else -x


def test_wrapped_functions_and_leaves_are_one_call():
    assert "as_it_is(x)" in fx.symbolic_trace(lambda x: as_it_is(x)).code

    class Whole(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return isinstance(m, nn.Sequential)

    model = Model()
    targets = [node.target for node in Whole().trace(model).nodes if node.op == "call_module"]
    assert targets == ["layers"]


class TwoSums(torch.nn.Module):
    def forward(self, x, w1, w2):
        m1 = torch.cat([torch.neg(w1), w2]).sum()
        m2 = torch.cat([torch.neg(w1), w2]).sum()
        return x + torch.max(m1) + torch.max(m2)


def test_parts_of_a_graph_are_replaced():
    traced = torch.fx.symbolic_trace(TwoSums())
    matches = torch.fx.replace_pattern(traced, lambda a1, a2: torch.cat([torch.neg(a1), a2]).sum(),
                                       lambda w1, w2: torch.stack([w1, w2]))
    assert len(matches) == 2
    assert [node.name for node in traced.graph.nodes] == ["x", "w1", "w2", "stack", "max_1", "add", "stack_1", "max_2",
                                                          "add_1", "output"]
    assert traced(torch.ones(1), torch.tensor([2.0]), torch.tensor([3.0])).tolist() == [7.0]


def test_a_part_whose_inner_value_others_take_is_left():
    def twice(x):
        y = torch.neg(x)
        return torch.relu(y) + y

    traced = torch.fx.symbolic_trace(twice)
    assert torch.fx.replace_pattern(traced, lambda x: torch.relu(torch.neg(x)), lambda x: x * 2) == []


def test_a_replacement_may_take_what_another_gave():
    traced = torch.fx.symbolic_trace(lambda x: torch.relu(torch.neg(torch.relu(torch.neg(x)))))
    assert len(torch.fx.replace_pattern(traced, lambda x: torch.relu(torch.neg(x)), lambda x: x + 1)) == 2
    assert traced(torch.ones(1)).tolist() == [3.0]


def test_tracers_may_change_what_a_range_does():
    entered = torch.autograd.profiler.record_function.__enter__
    seen = []
    torch.autograd.profiler.record_function.__enter__ = lambda self: seen.append(self.name)
    try:
        with torch.profiler.record_function("a"):
            pass
    finally:
        torch.autograd.profiler.record_function.__enter__ = entered
    assert seen == ["a"]


@pytest.mark.parametrize("function, line", (
    (lambda x: torch.linalg.norm(x), "linalg_norm = torch._C._linalg.linalg_norm(x);  x = None"),
    (lambda x: torch.fft.fft(x), "fft_fft = torch._C._fft.fft_fft(x);  x = None"),
    (lambda x: torch.special.expit(x), "special_expit = torch._C._special.special_expit(x);  x = None")))
def test_functions_of_other_modules_are_written_by_the_name_that_they_have_there(function, line):
    traced, x = fx.symbolic_trace(function), torch.randn(2, 2)
    assert line in traced.code and traced(x).equal(function(x))


@pytest.mark.parametrize("function", (
    lambda x: torch.einsum("ij,kj->ik", (x, x)), lambda x: torch.hstack((x, x)), lambda x: torch.zeros_like(x),
    lambda x: torch.full_like(x, 2.0), lambda x: nn.functional.one_hot(x.long(), 3), lambda x: torch.full((2,), 1.0)))
def test_functions_of_tuples_and_of_a_tensors_likeness_can_be_traced(function):
    x = torch.ones(2, 2)
    assert fx.symbolic_trace(function)(x).equal(function(x))


def test_arguments_of_nodes_do_not_change():
    traced = torch.fx.symbolic_trace(lambda x: torch.cat([x, x], dim=1))
    cat = next(node for node in traced.graph.nodes if node.name == "cat")
    with pytest.raises(TypeError, match="^'immutable_list' object does not support mutation"):
        cat.args[0].append(1)
    with pytest.raises(TypeError, match="^'immutable_dict' object does not support mutation"):
        cat.kwargs["dim"] = 0
    assert hash(cat.args[0]) == hash(tuple(cat.args[0]))


def test_notes_of_the_program_last_as_long_as_their_block():
    from mindtorch_v2.fx import traceback
    with traceback.preserve_node_meta(), traceback.annotate({"stage": 1}), traceback.annotate({"part": 2}):
        traceback.set_stack_trace(["here"])
        assert traceback.get_current_meta()["custom"] == {"stage": 1, "part": 2}
        assert traceback.format_stack() == ["here"]
    assert traceback.get_current_meta() == {} and not traceback.has_preserved_node_meta()


def test_shape_prop_writes_down_what_tensors_each_node_gave():
    class Pooled(nn.Module):
        def forward(self, x):
            return x.t(), x.max(1), x.size(0)

    traced = fx.symbolic_trace(Pooled())
    ShapeProp(traced).propagate(torch.ones(2, 3))
    x, transposed, largest, size, _ = [node.meta for node in traced.graph.nodes]
    assert x["tensor_meta"] == TensorMetadata(
        torch.Size([2, 3]), torch.float32, False, (3, 1), torch.contiguous_format, False, {})
    assert (transposed["tensor_meta"].stride, transposed["tensor_meta"].memory_format) == ((1, 3), None)
    assert type(largest["tensor_meta"]) is tuple and largest["type"] is torch.return_types.max
    assert size == {"type": int}
    with pytest.raises(RuntimeError, match="ShapeProp error for: node=%t : .*call_method"):
        ShapeProp(traced).propagate(torch.ones(2, 3, 4))
