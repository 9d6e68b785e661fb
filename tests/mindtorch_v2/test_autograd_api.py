"""torch.autograd as its users call it: backward, grad, hooks, graphs kept and freed, custom functions, modes."""

from __future__ import annotations

import gc
import threading
import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch


def leaf(*values: float):
    return torch.tensor(values, requires_grad=True)


# -- backward ----------------------------------------------------------------------------------------------------------


def test_backward_fills_grad_of_leaves():
    x = leaf(1.0, 2.0, 3.0)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_backward_adds_to_what_is_there():
    x = leaf(1.0, 2.0)
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_backward_takes_a_gradient_for_results_with_many_elements():
    x = leaf(1.0, 2.0)
    (x * x).backward(torch.tensor([1.0, 10.0]))
    assert x.grad.tolist() == [2.0, 40.0]


def test_backward_without_a_gradient_wants_a_single_number():
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        (leaf(1.0, 2.0) * 2).backward()


def test_backward_of_something_without_history_is_refused():
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        torch.ones(()).backward()


def test_gradient_of_another_shape_is_refused():
    with pytest.raises(RuntimeError, match="Mismatch in shape: grad_output"):
        (leaf(1.0, 2.0) * 2).backward(torch.ones(3))


def test_broadcast_operands_get_gradients_of_their_own_shape():
    x, b = torch.ones(3, 4, requires_grad=True), torch.ones(4, requires_grad=True)
    (x * b).sum().backward()
    assert x.grad.shape == (3, 4)
    assert b.grad.tolist() == [3.0] * 4


def test_second_backward_through_a_freed_graph_is_refused():
    x = leaf(2.0)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_retain_graph_allows_a_second_backward():
    x = leaf(2.0)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 8.0


def test_backward_with_inputs_touches_only_those():
    x, w = leaf(1.0), leaf(2.0)
    (x * w).sum().backward(inputs=[w])
    assert x.grad is None
    assert w.grad.item() == 1.0


def test_integers_cannot_require_grad():
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype can require gradients"):
        torch.ones(2, dtype=torch.int64).requires_grad_(True)


# -- grad ------------------------------------------------------------------------------------------


def test_grad_returns_gradients_and_leaves_dot_grad_alone():
    x = leaf(3.0)
    (g,) = torch.autograd.grad((x * x).sum(), x)
    assert g.item() == 6.0
    assert x.grad is None


def test_grad_of_an_unused_input_is_refused_unless_allowed():
    x, unused = leaf(1.0), leaf(1.0)
    with pytest.raises(RuntimeError, match="One of the differentiated Tensors appears to not have been used in the "
                                           "graph"):
        torch.autograd.grad((x * 2).sum(), [x, unused])
    assert torch.autograd.grad((x * 2).sum(), [x, unused], allow_unused=True)[1] is None
    assert torch.autograd.grad((x * 2).sum(), [x, unused], materialize_grads=True)[1].item() == 0.0


def test_grad_with_respect_to_an_intermediate_result():
    x = leaf(2.0)
    y = x * x
    (g,) = torch.autograd.grad((y * 5).sum(), y)
    assert g.item() == 5.0


def test_create_graph_gives_second_derivatives():
    x = leaf(2.0)
    (first,) = torch.autograd.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    assert (first.item(), second.item()) == (12.0, 12.0)


def test_create_graph_reaches_any_order():
    x = leaf(2.0)
    y = x * x * x * x
    for expected in (32.0, 48.0, 48.0, 24.0):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        assert y.item() == expected


# -- hooks -----------------------------------------------------------------------------------------


def test_hook_sees_and_replaces_the_gradient():
    x = leaf(1.0)
    y = x * 3
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    y.register_hook(lambda g: g * 10)
    (y * 2).sum().backward()
    assert seen == [2.0]
    assert x.grad.item() == 60.0


def test_removed_hook_is_not_called():
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 100)
    handle.remove()
    (x * 2).sum().backward()
    assert x.grad.item() == 2.0


def test_hook_on_a_leaf_changes_what_is_accumulated():
    x = leaf(1.0)
    x.register_hook(lambda g: g + 1)
    (x * 2).sum().backward()
    assert x.grad.item() == 3.0


def test_hook_that_changes_the_shape_is_refused():
    x = leaf(1.0, 2.0)
    x.register_hook(lambda g: torch.ones(3))
    with pytest.raises(RuntimeError, match="hook has changed the size of value"):
        (x * 2).sum().backward()


def test_post_accumulate_hook_sees_the_leaf_with_its_gradient():
    x = leaf(1.0)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
    (x * 2).sum().backward()
    assert seen == [2.0]


def test_retain_grad_keeps_the_gradient_of_an_intermediate_result():
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    (y * 3).sum().backward()
    assert y.grad.item() == 3.0


def test_grad_of_a_non_leaf_warns():
    y = leaf(1.0) * 2
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None


def test_node_hooks_see_gradients_on_both_sides():
    x = leaf(2.0)
    y = x * x
    seen = []
    y.grad_fn.register_prehook(lambda grads: seen.append(("in", grads[0].item())))
    y.grad_fn.register_hook(lambda out, inp: seen.append(("out", [g.item() for g in out if g is not None])))
    y.sum().backward()
    assert seen == [("in", 1.0), ("out", [2.0, 2.0])]


# -- the graph -------------------------------------------------------------------------------------


def test_graph_can_be_walked_by_name():
    x = leaf(1.0)
    y = (x * 2 + 1).sum()
    assert y.grad_fn.name() == "SumBackward0"
    add = y.grad_fn.next_functions[0][0]
    mul = add.next_functions[0][0]
    accumulate = mul.next_functions[0][0]
    names = [add.name(), mul.name(), accumulate.name()]
    assert names == ["AddBackward0", "MulBackward0", "torch::autograd::AccumulateGrad"]
    assert accumulate.variable is x


@pytest.mark.parametrize("depth", [100_000])
def test_deep_graph_needs_no_recursion(depth):
    x = leaf(1.0)
    y = x
    for _ in range(depth):
        y = y + 1
    y.backward(torch.ones(1))
    assert x.grad.item() == 1.0
    del y
    gc.collect()


def test_dropping_a_deep_graph_without_backward_needs_no_recursion():
    y = leaf(1.0)
    for _ in range(100_000):
        y = y * 1
    del y


def test_graph_lets_go_of_memory_without_the_garbage_collector():
    from mindtorch_v2.record import rows
    gc.disable()
    try:
        before = rows.allocated_bytes()
        x = torch.ones(1000, requires_grad=True)
        y = torch.tanh(x * 2)
        y.sum().backward()
        del x, y
        assert rows.allocated_bytes() == before
    finally:
        gc.enable()


def test_exception_in_backward_leaves_the_engine_usable():
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError("on purpose")

    x = leaf(1.0)
    with pytest.raises(ValueError, match="on purpose"):
        Fails.apply(x).sum().backward()
    assert torch.is_grad_enabled()
    (x * 2).sum().backward()
    assert x.grad.item() == 2.0


def test_threads_go_back_at_the_same_time():
    grads = {}

    def work(k):
        x = torch.full((50,), float(k), requires_grad=True)
        for _ in range(20):
            x.grad = None
            (x * x).sum().backward()
        grads[k] = x.grad[0].item()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert grads == {k: 2.0 * k for k in range(4)}


def test_backward_inside_backward():
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.detach() ** 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                copy = x.detach().requires_grad_(True)
                (copy * copy).sum().backward()
            return copy.grad * g

    x = leaf(3.0)
    Inner.apply(x).sum().backward()
    assert x.grad.item() == 6.0


# -- writing in place ------------------------------------------------------------------------------


def test_overwritten_saved_value_is_refused():
    x = leaf(1.0, 2.0)
    y = x * 2
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation: \[torch.FloatTensor \[2\]\], which is "
                                           r"output 0 "
                                           r"of AddBackward0, is at version 1; expected version 0 instead"):
        z.sum().backward()


def test_overwritten_result_is_refused():
    x = leaf(1.0)
    y = torch.exp(x)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_leaf_that_requires_grad_is_not_written_in_place():
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place "
                                           "operation."):
        leaf(1.0).add_(1)


def test_view_of_a_leaf_is_not_written_in_place():
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        leaf(1.0, 2.0)[0].mul_(2)


def test_leaf_may_be_updated_without_grad():
    x = leaf(1.0)
    with torch.no_grad():
        x -= 0.5
    assert x.item() == 0.5
    assert x.requires_grad


def test_in_place_op_takes_part_in_history():
    x = leaf(2.0)
    y = x * 3
    y.mul_(x)
    y.sum().backward()
    assert x.grad.item() == 12.0


def test_write_into_a_view_reaches_the_base():
    x = leaf(2.0)
    base = torch.zeros(3)
    base[1] = x[0] * 5
    (base * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert base.grad_fn is not None
    assert x.grad.item() == 50.0


def test_write_into_a_view_stops_what_was_overwritten():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    y[0] = 7.0
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 2.0]


def test_other_views_see_history_written_through_one():
    x = leaf(2.0)
    base = torch.zeros(2)
    other = base[:1]
    base[0:1].copy_(x)
    other.sum().backward()
    assert x.grad.item() == 1.0


def test_detach_shares_data_and_version():
    x = leaf(1.0, 2.0)
    y = x.detach()
    assert not y.requires_grad
    y[0] = 5.0
    assert x[0].item() == 5.0
    assert x._version == 1


# -- modes -----------------------------------------------------------------------------------------


def test_no_grad_makes_no_history():
    x = leaf(1.0)
    with torch.no_grad():
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_modes_decorate_functions_and_generators():
    x = leaf(1.0)

    @torch.no_grad()
    def plain():
        return (x * 2).requires_grad

    @torch.no_grad()
    def generator():
        yield (x * 2).requires_grad
        yield torch.is_grad_enabled()

    running = generator()
    assert next(running) is False
    assert torch.is_grad_enabled()
    assert next(running) is False
    assert plain() is False


def test_enable_grad_inside_no_grad():
    x = leaf(1.0)
    with torch.no_grad(), torch.enable_grad():
        assert (x * 2).requires_grad


def test_set_grad_enabled_works_at_once_and_as_a_block():
    x = leaf(1.0)
    torch.set_grad_enabled(False)
    assert not (x * 2).requires_grad
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_grad_mode_belongs_to_the_thread():
    seen = []
    with torch.no_grad():
        t = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        t.start()
        t.join()
    assert seen == [True]


def test_inference_tensors_are_not_written_outside():
    with torch.inference_mode():
        x = torch.ones(2) * 2
        assert x.is_inference()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        x.add_(1)


def test_anomaly_mode_names_the_call_that_made_nan():
    x = leaf(0.0)
    with warnings.catch_warnings(record=True) as told, torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("always")
        y = torch.sqrt(x) * 0
        with pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output."):
            y.sum().backward()
    assert any("torch.sqrt(x)" in str(w.message) for w in told)


# -- custom functions ------------------------------------------------------------------------------


class Cube(torch.autograd.Function):
    """x³ with its derivative written out."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x * x


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
    with pytest.raises(RuntimeError, match="should not be instantiated"):
        Cube()


# -- checks of derivatives -------------------------------------------------------------------------


def test_gradcheck_accepts_a_right_derivative():
    x = torch.tensor([0.3, 1.2], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: torch.tanh(t) * t, (x,))


def test_gradcheck_refuses_a_wrong_derivative():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(Wrong.apply, (x,))


def test_gradgradcheck_looks_at_second_derivatives():
    x = torch.tensor([0.3, 1.2], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda t: t * t * t, (x,))


def test_jacobian_and_hessian():
    x = torch.tensor([1.0, 2.0])
    jacobian = torch.autograd.functional.jacobian(lambda t: t * t, x)
    assert np.array_equal(jacobian.numpy(), [[2, 0], [0, 4]])
    hessian = torch.autograd.functional.hessian(lambda t: (t * t * t).sum(), x)
    assert np.array_equal(hessian.numpy(), [[6, 0], [0, 12]])


def test_vjp_and_jvp():
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    assert torch.autograd.functional.vjp(lambda t: t * t, x, v)[1].tolist() == [2.0, 40.0]
    assert torch.autograd.functional.jvp(lambda t: t * t, x, v)[1].tolist() == [2.0, 40.0]
