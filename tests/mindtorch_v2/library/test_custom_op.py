"""custom_op: an op from an annotated function, its derivative, its schema."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import Tensor
from mindtorch_v2.library import custom_op, infer_schema, register_autograd
from mindtorch_v2.profiler import profile


def scaled_sine():
    @custom_op("testmy::sine", mutates_args=())
    def sine(x: Tensor, scale: int = 1) -> Tensor:
        return torch.sin(x) * scale

    return sine


def with_derivative(sine):
    def setup_context(ctx, inputs, output):
        x, ctx.scale = inputs
        ctx.save_for_backward(x)

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.cos(x) * ctx.scale, None

    sine.register_autograd(backward, setup_context=setup_context)
    return sine


def test_a_function_becomes_an_op():
    sine = scaled_sine()
    assert repr(sine) == "<CustomOpDef(testmy::sine)>"
    assert str(torch.ops.testmy.sine.default._schema) == "testmy::sine(Tensor x, SymInt scale=1) -> Tensor"
    assert sine(torch.zeros(1), scale=2).item() == torch.ops.testmy.sine(torch.zeros(1)).item() == 0


def test_without_a_derivative_going_back_is_refused():
    result = scaled_sine()(torch.ones(1, requires_grad=True))
    with pytest.raises(RuntimeError, match="Trying to backward through testmy.sine.default but no autograd formula"):
        result.backward()


def test_a_derivative_is_called_with_what_was_saved():
    x = torch.zeros(2, requires_grad=True)
    with_derivative(scaled_sine())(x, 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_the_profile_shows_the_op_its_function_and_its_derivative():
    sine, x = with_derivative(scaled_sine()), torch.zeros(2, requires_grad=True)
    with profile() as prof:
        sine(x).sum().backward()
    names = [event.name for event in prof.events()]
    assert names[:3] == ["testmy::sine", "GeneratedBackwardFor_testmy_sine_default", "aten::sin"]
    assert "GeneratedBackwardFor_testmy_sine_defaultBackward" in names


def test_a_list_of_tensors_gets_a_list_of_gradients():
    @custom_op("testmy::total", mutates_args=())
    def total(parts: Sequence[Tensor], weight: float) -> Tensor:
        return torch.stack(list(parts)).sum(0) * weight

    register_autograd("testmy::total", lambda ctx, grad: ([grad * 2] * ctx.n, None),
                      setup_context=lambda ctx, inputs, output: setattr(ctx, "n", len(inputs[0])))
    parts = [torch.ones(1, requires_grad=True) for _ in range(2)]
    total(parts, 2.0).backward()
    assert [part.grad.item() for part in parts] == [2.0, 2.0]


def test_what_is_written_is_counted():
    @custom_op("testmy::increase", mutates_args=("x",))
    def increase(x: Tensor) -> None:
        x.numpy()[...] += 1

    x = torch.zeros(1)
    increase(x)
    assert x.item() == 1 and x._version == 1
    assert str(torch.ops.testmy.increase.default._schema) == "testmy::increase(Tensor(a0!) x) -> ()"
    with pytest.raises(RuntimeError, match="Cannot register autograd formula for non-functional operator"):
        increase.register_autograd(lambda ctx, grad: grad)


def test_a_result_that_is_an_input_is_refused():
    @custom_op("testmy::same", mutates_args=())
    def same(x: Tensor) -> Tensor:
        return x

    with pytest.raises(RuntimeError, match="must not also be an input to this custom operator"):
        same(torch.ones(1))


def test_another_function_can_be_given_for_a_device():
    sine = scaled_sine()

    @sine.register_kernel("cpu")
    def on_cpu(x, scale=1):
        return torch.full((1,), 9.0)

    assert sine(torch.zeros(1)).item() == 9


def test_a_schema_is_read_from_annotations():
    def function(a: Tensor, b: Tensor | None, c: list[int], d: Sequence[Tensor], *, e: float = 1.5, f: str = "x",
                 g: bool = True, h: torch.dtype | None = None) -> tuple[Tensor, list[Tensor]]:
        raise NotImplementedError

    assert infer_schema(function, mutates_args=("a",)) == (
        '(Tensor(a0!) a, Tensor? b, SymInt[] c, Tensor[] d, *, float e=1.5, str f="x", bool g=True, '
        'ScalarType? h=None) -> (Tensor, Tensor[])')


@pytest.mark.parametrize(("function", "text"), [
    (lambda x: x, "Parameter x must have a type annotation"),
    (lambda *x: x, "We do not support positional-only args, varargs, or varkwargs")])
def test_a_function_without_annotations_has_no_schema(function, text):
    with pytest.raises(ValueError, match=text):
        infer_schema(function, mutates_args=())


def test_a_rule_for_vmap_sees_the_whole_batch():
    doubled, seen = custom_op("tests_vmap::doubled", lambda x: x * 2, mutates_args=(),
                              schema="(Tensor x) -> Tensor"), []

    @doubled.register_vmap
    def whole(info, in_dims, x):
        seen.append((info.batch_size, in_dims, tuple(x.shape)))
        return doubled(x), in_dims[0]

    assert torch.vmap(doubled, in_dims=1)(torch.ones(2, 3)).shape == (3, 2)
    assert seen == [(3, (1,), (2, 3))] and doubled(torch.ones(1)).item() == 2
    with pytest.raises(RuntimeError, match="^Could not find the operator tests_vmap::none"):
        torch.library.register_vmap("tests_vmap::none", whole)


def test_an_op_has_the_tags_that_it_was_given():
    core, compliant = torch.Tag.core, torch.Tag.pt2_compliant_tag
    with torch.library._scoped_library("tests_tags", "FRAGMENT") as library:
        library.define("plain(Tensor x) -> Tensor")
        library.define("tagged(Tensor x) -> Tensor", tags=core)
        custom_op("tests_tags::custom", lambda x: x, mutates_args=(), schema="(Tensor x) -> Tensor", tags=[core])
        ops = torch.ops.tests_tags
        assert [op.default.tags for op in (ops.plain, ops.tagged, ops.custom)] == [[], [core], [compliant, core]]
    assert repr(core) == "<Tag.core: 0>" and not hasattr(torch.ops.aten.add.Tensor, "tags")
