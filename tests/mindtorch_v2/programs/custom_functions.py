"""Functions with several outputs, results without gradient, in-place work, saved numbers and a double backward."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    Function = torch.autograd.Function

    class SortTop(Function):
        @staticmethod
        def forward(ctx, x):
            values, order = x.sort(dim=-1, descending=True)
            ctx.mark_non_differentiable(order)
            ctx.save_for_backward(order)
            return values, order

        @staticmethod
        def backward(ctx, g, _):
            (order,) = ctx.saved_tensors
            return torch.zeros_like(g).scatter_(-1, order, g)

    class DoubleInPlace(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    class Cube(Function):
        @staticmethod
        def forward(ctx, x, weight=None):
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(x)
            return x**3, x.detach().sum()

        @staticmethod
        def backward(ctx, g, s):
            (x,) = ctx.saved_tensors
            return (None if g is None else g * 3 * x**2), None

    class StraightThrough(Function):
        @staticmethod
        def forward(x):
            return x.round()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.shape = inputs[0].shape

        @staticmethod
        def backward(ctx, g):
            return g.expand(ctx.shape) if ctx.needs_input_grad[0] else None

    torch.manual_seed(12)
    w, x = torch.randn(5, 4, requires_grad=True), torch.randn(3, 5)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            values, order = SortTop.apply(x @ w)
            cubed, total = Cube.apply(DoubleInPlace.apply(values.clone()))
            loss = (cubed * 0.01).sum() + StraightThrough.apply(values).mean()
            (g,) = torch.autograd.grad(loss, w, create_graph=True)
            (g.pow(2).sum() * 1e-3).backward()
            with torch.no_grad():
                w -= 0.01 * w.grad
            w.grad = None
            out.append([loss.item(), order.sum().item(), total.item()])
            prof.step()
    return prof, out
