"""torch.autograd.Function."""

from __future__ import annotations

import weakref

import pytest

import mindtorch_v2 as torch

from . import Cube, leaf


def test_custom_function_runs_its_own_backward():
    x = leaf(2.0)
    y = Cube.apply(x)
    assert y.grad_fn.name() == "CubeBackward"
    y.sum().backward()
    assert x.grad.item() == 12.0


def test_custom_function_can_be_differentiated_twice():
    x = leaf(2.0)
    (g,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), x)
    assert gg.item() == 12.0


def test_setup_context_keeps_forward_free_of_ctx():
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(x, k):
            return x * k

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.k = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g * ctx.k, None

    x = leaf(1.0)
    Scale.apply(x, 4.0).sum().backward()
    assert x.grad.item() == 4.0


def test_missing_gradients_arrive_as_zeros():
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, a, b):
            assert b.tolist() == [0.0]
            return a + b

    x = leaf(1.0)
    Two.apply(x)[0].sum().backward()
    assert x.grad.item() == 1.0


def test_wrong_number_of_gradients_is_refused():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g

    with pytest.raises(RuntimeError, match=r"function WrongBackward returned an incorrect number of gradients "
                                           r"\(expected 2, got 1\)"):
        Wrong.apply(leaf(1.0), leaf(1.0)).sum().backward()


def test_needs_input_grad_says_whose_gradient_is_wanted():
    class Asks(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, g):
            seen.append(ctx.needs_input_grad)
            return g, None

    seen = []
    Asks.apply(leaf(1.0), torch.ones(1)).sum().backward()
    assert seen == [(True, False)]


def test_non_differentiable_output_has_no_history():
    class Split(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            sign = x * 0 + 1
            ctx.mark_non_differentiable(sign)
            return x * 2, sign

        @staticmethod
        def backward(ctx, g, unused):
            return g * 2

    y, sign = Split.apply(leaf(1.0))
    assert y.requires_grad
    assert not sign.requires_grad


def test_function_is_not_instantiated():
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        made = Cube()
    with pytest.raises(RuntimeError, match="Legacy autograd function with non-static forward method is deprecated"):
        made(leaf(1.0))


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(x, by=3.0):
        return x * by

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.given = inputs

    @staticmethod
    def vjp(ctx, grad):
        return grad * ctx.given[1], None


def test_arguments_by_name_take_their_place_and_vjp_goes_back():
    x = leaf(1.0)
    made = Scaled.apply(x, by=5.0)
    made.sum().backward()
    assert made.item() == x.grad.item() == 5.0


def test_setup_context_is_given_defaults():
    x = leaf(1.0)
    made = Scaled.apply(x)
    made.sum().backward()
    made.sum().backward()  # it saved no tensor, so once more is fine
    assert x.grad.item() == 6.0


def test_only_tensors_are_saved_for_backward():
    class Keeps(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3)
            return x * 1

    with pytest.raises(TypeError, match="save_for_backward can only save variables, but argument 0 is of type int"):
        Keeps.apply(leaf(1.0))


def test_list_of_results_is_not_looked_into():
    class Lists(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return [x * 2]

    made = Lists.apply(leaf(1.0))
    assert isinstance(made, list)
    assert made[0].grad_fn is None


@pytest.mark.parametrize("value, shapes", [
    (len, [[2]]), ("text", [[2]]), ({}, [[2]]), ([], [[2]]), ([1, 2.0], [[2]]), ([True, 1], [[2]]), ((1, "a"), [[2]]),
    (None, [[], [2]]), (True, [[], [2]]), (1.5, [[], [2]]), (1j, [[], [2]]), ([1, 2], [[], [2]]),
    ((1, None), [[], [2]]), ((), [[], [2]]), ([[1], [2]], [[], [2]]),
])
def test_a_row_shows_tensors_and_plain_values_among_the_arguments(value, shapes):
    class Second(torch.autograd.Function):
        @staticmethod
        def forward(ctx, first, second):
            return second * 2

    with torch.profiler.profile(record_shapes=True) as prof:
        Second.apply(value, torch.ones(2))
    (event,) = [e for e in prof.events() if e.name == "Second"]
    assert event.input_shapes == shapes


class Narrowed(torch.autograd.Function):
    """The first two elements, as a view that may be made anew without asking backward."""

    @staticmethod
    def forward(ctx, x, is_pure):
        ctx._is_pure_view = is_pure
        return x.narrow(0, 0, 2)

    @staticmethod
    def backward(ctx, grad):
        raise AssertionError("the view was made anew")


def test_a_pure_view_can_be_written_into():
    x = leaf(1.0, 2.0, 3.0)
    base = x.clone()
    view = Narrowed.apply(base, True)
    view *= 3
    (base.sum() + view.sum()).backward()
    assert x.grad.tolist() == [6.0, 6.0, 1.0]
    with pytest.raises(RuntimeError, match="Output 0 of Narrowed is a view and is being modified inplace. This view "
                                           "was created inside a custom Function"):
        Narrowed.apply(x.clone(), False).mul_(3)


def test_a_pure_view_is_made_of_one_tensor():
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx._is_pure_view = True
            return x.view_as(x)

    with pytest.raises(RuntimeError, match="Pure view custom Function can only have one input Tensor and one output"):
        Two.apply(leaf(1.0), leaf(1.0))


def test_a_view_from_a_function_is_refused_even_where_its_input_needs_no_gradient():
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view_as(x)

        @staticmethod
        def backward(ctx, grad):
            return grad

    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        Same.apply(torch.rand(1)).copy_(leaf(1.0))


def test_a_view_of_something_new_may_not_be_called_written():
    class Fresh(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            out = x.clone().view_as(x)
            ctx.mark_dirty(out)
            return out

    with pytest.raises(RuntimeError, match=r"ctx.mark_dirty\(\) received a tensor that was not an input."):
        Fresh.apply(leaf(1.0).clone())


def test_a_backward_that_takes_its_gradients_in_a_list_can_let_go_of_them():
    released = []

    class Boxed(torch.autograd.Function):
        boxed_grads_call = True

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grads):
            reference, copied = weakref.ref(grads[0]), grads[0].clone()
            grads.clear()
            released.append(reference() is None)
            return copied * 2

    Boxed.apply(leaf(1.0)).sum().backward()
    assert released == [True]


def test_a_function_that_is_instantiated_is_a_node_that_leads_nowhere():
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        function = Cube()
    function.register_hook(lambda given, returned: None)
    assert (function.next_functions, function._input_metadata, function.metadata) == ((), (), {})
    with pytest.raises(NotImplementedError, match="you must either override the vmap staticmethod"):
        Cube.vmap(None, (0,), leaf(1.0))
