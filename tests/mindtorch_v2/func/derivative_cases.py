"""What torch.func, forward_ad and functional of torch.autograd do, as expressions for PyTorch and for ours."""

from __future__ import annotations


def scope(torch) -> dict:
    """The names that expressions use, the same numbers for every library."""
    torch.manual_seed(0)
    line = lambda *shape: torch.linspace(-1, 1, _size(shape), dtype=torch.float64).reshape(shape) * 1.3 + 0.1  # noqa: E731
    names = {"torch": torch, "F": torch.nn.functional, "fwAD": torch.autograd.forward_ad, "line": line,
             **{name: getattr(torch.func, name) for name in torch.func.__all__},
             "x": line(3), "v": line(3).flip(0), "W": line(4, 3), "functional": torch.autograd.functional}
    names |= {"f": lambda x: torch.tanh(names["W"] @ x), "g": lambda x: (torch.sin(x) * x.exp()).sum()}
    model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.LayerNorm(5), torch.nn.GELU(), torch.nn.Linear(5, 2))
    params = {name: line(*p.shape) for name, p in model.double().named_parameters()}
    call = torch.func.functional_call
    names |= {"params": params, "inputs": line(4, 3), "labels": torch.tensor([0, 1, 1, 0]),
              "loss": lambda p, x, y: names["F"].cross_entropy(call(model, p, (x[None],)), y[None])}
    names |= {name: globals()[name](torch) for name in ("duals", "escapes", "writes", "nested", "function", "broken")}
    return names


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for n in shape:
        size *= n
    return size


def duals(torch):
    """What unpacking says about results of a function of a dual tensor."""
    ad = torch.autograd.forward_ad

    def unpacked(function, *primals):
        with ad.dual_level():
            given = [ad.make_dual(p, torch.ones_like(p)) for p in primals]
            results = function(*given)
            results = results if isinstance(results, (tuple, list)) else (results,)
            return [ad.unpack_dual(r).tangent for r in results]

    return unpacked


def escapes(torch):
    """A tensor has no tangent after its level."""
    ad = torch.autograd.forward_ad

    def tangent_after(x):
        with ad.dual_level():
            dual = ad.make_dual(x, x)
        return ad.unpack_dual(dual).tangent

    return tangent_after


def writes(torch):
    """What is written into a view has its tangent in the base and in other views."""
    def written(x):
        base = torch.zeros(4, dtype=x.dtype)
        first, last = base[:3], base[2:]
        first.copy_(x)
        first.mul_(x)
        return base, last, first

    return written


def nested(torch):
    """x * d/dy (x + y): a derivative inside must not see the one outside."""
    func = torch.func

    def by(transform, x):
        if transform == "grad":
            return func.grad(lambda x: x * func.grad(lambda y: x + y)(x.detach()))(x)
        one = torch.ones_like(x)
        return func.jvp(lambda x: x * func.jvp(lambda y: x + y, (x.detach(),), (one,))[1], (x,), (one,))[1]

    return by


def function(torch):
    """A custom Function with a jvp of its own."""
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x ** 3

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])
            ctx.save_for_forward(inputs[0])

        @staticmethod
        def backward(ctx, grad):
            return 3 * ctx.saved_tensors[0] ** 2 * grad

        @staticmethod
        def jvp(ctx, tangent):
            return 3 * ctx.saved_tensors[0] ** 2 * tangent

    return Cube.apply


def broken(torch):
    """One whose jvp returns too much."""
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def jvp(ctx, tangent):
            return tangent, tangent

    return Broken.apply


VALUES = """
    jacrev(f)(x)
    jacfwd(f)(x)
    hessian(g)(x)
    jacrev(jacrev(g))(x)
    jacfwd(jacfwd(g))(x)
    jacrev(jacfwd(g))(x)
    jacrev(f, chunk_size=2)(x)
    jacrev(f, chunk_size=1)(x)
    jacrev(lambda d: d['a'] * d['b'].sum())({'a': x, 'b': v})
    jacfwd(lambda a, b: (a * b, a.sum()), argnums=(0, 1))(x, v)
    jacrev(lambda a: (a * 2, a), has_aux=True)(x)
    jacfwd(lambda a: (a * 2, a + 1), has_aux=True)(x)
    jacfwd(lambda a: {'a': a, 'b': (a.sum(),)})(x)
    grad(g)(x)
    grad_and_value(g)(x)
    grad(lambda a, b: (a * b).sum(), argnums=-1)(x, v)
    grad(lambda a, b: (a * b).sum(), argnums=(1, 0))(x, v)
    grad(lambda t: (t[0] * t[1]['k']).sum())([x, {'k': v}])
    grad(lambda a: (a.sum(), {'aux': a * 2}), has_aux=True)(x)
    grad(lambda a, *, k: (a * k).sum())(x, k=v)
    grad(lambda a: torch.ones(()))(x)
    grad(lambda a: grad(g)(a).pow(2).sum())(x)
    vjp(f, x)[1](line(4))
    vjp(lambda a, b: (a * b, b.sum()), x, v)[1]((x, torch.ones((), dtype=torch.float64)))
    vjp(lambda a: (a * 2, a), x, has_aux=True)[2]
    jvp(f, (x,), (v,))
    jvp(lambda a, b: a * b, (x, v), (v, x))
    jvp(lambda a: (a * 2, a.sum()), (x,), (v,), has_aux=True)
    jvp(lambda a: torch.ones(3), (x,), (v,))
    jvp(lambda a: jvp(torch.sin, (a,), (v,))[1], (x,), (v,))
    jvp(grad(g), (x,), (v,))
    grad(lambda a: jvp(g, (a,), (v,))[1])(x)
    jvp(lambda a: a.clone().mul_(2).add_(a), (x,), (v,))
    nested('grad', x[0])
    nested('jvp', x[0])
    linearize(f, x)[0]
    linearize(f, x)[1](v)
    linearize(lambda a, b: {'r': a * b}, x, v)[1](v, x)
    vmap(linearize(f, x)[1])(W)
    vmap(grad(g))(W)
    vmap(grad(lambda w, x: torch.tanh(x @ w).sum()), in_dims=(None, 0))(v, W)
    vmap(grad(lambda x: grad(g)(x).sum()))(W)
    vmap(lambda a: jvp(g, (a,), (v,)))(W)
    vmap(jacrev(torch.sin))(W)
    vmap(jacfwd(torch.sin))(W)
    vmap(hessian(g))(W)
    jvp(vmap(g), (W,), (W,))
    grad(lambda m: vmap(g)(m).sum())(W)
    grad(loss)(params, inputs[0], labels[0])
    vmap(grad(loss), in_dims=(None, 0, 0))(params, inputs, labels)
    jvp(lambda p: loss(p, inputs[0], labels[0]), (params,), (params,))
    hessian(lambda b: loss({**params, '3.bias': b}, inputs[0], labels[0]))(params['3.bias'])
    torch.autograd.grad(vmap(grad(g))(W.requires_grad_()).sum(), W)
    torch.autograd.grad(jacfwd(f)(x.sum() + W.requires_grad_()[0]).sum(), W)
    grad(lambda a: function(a).sum())(x)
    jvp(function, (x,), (v,))
    jacrev(function)(x)
    functionalize(lambda a: a.clone().add_(1))(x)
    functional.jacobian(f, x, vectorize=True, strategy='forward-mode')
    functional.jacobian(lambda a, b: (a * b, b.sum()), (x, v), vectorize=True, strategy='forward-mode')
    functional.hessian(g, x, vectorize=True, outer_jacobian_strategy='forward-mode')
    rearrange(W, 'a (b c) -> c b a', b=3)
    rearrange(W, 'a ... -> (... a) 1')
    duals(lambda d: (d * 2, d.detach(), d.data, torch.zeros_like(d), d > 0, d.floor()), x)
    duals(lambda d: d.double().to(torch.int64), x)
    duals(writes, x)
    duals(lambda d: d.view(3, 1).expand(3, 2).t(), x)
    duals(lambda d: torch.view_as_real(d * 1j), x)
    duals(lambda d: d.abs(), torch.complex(x, v))
    duals(lambda d: d.unsqueeze_(0).mul_(2), x.clone())
    duals(lambda a, b: torch.where(a > 0, a, b), x, v)
    duals(lambda d: d.sort(descending=True)[0], x)
    escapes(x)
    fwAD.unpack_dual(x)
"""

ERRORS = """
    grad(lambda a: a)(x)
    grad(lambda a: 3)(x)
    grad(lambda a: a.sum(), argnums=2)(x)
    grad(lambda a: a.sum(), argnums=(0, 0))(x)
    grad(lambda a: a.sum(), argnums='a')(x)
    grad(lambda a: a.sum(), argnums=())(x)
    grad(lambda a: a.sum())(torch.arange(3))
    grad(lambda a: a[0].sum())([x, 3])
    grad(lambda a: a.sum(), has_aux=True)(x)
    grad(lambda a: (a.sum(), 3), has_aux=True)(x)
    vjp(lambda a: 3, x)
    vjp(lambda a: None, x)
    vjp(lambda a: (), x)
    vjp(lambda a: a > 0, x)
    vjp(lambda a: a, 3)
    vjp(lambda a: a, x, has_aux=True)
    vjp(f, x)[1]((line(4),))
    jvp(f, x, x)
    jvp(f, (x,), (x, x))
    jvp(f, (), ())
    jvp(f, (3,), (3,))
    jvp(lambda a: 3, (x,), (x,))
    jvp(lambda a: torch.ones(3), (x,), (x,), strict=True)
    jvp(f, (x,), (line(4),))
    jacrev(f, chunk_size=0)
    jacrev(f)(torch.complex(x, x))
    jacrev(lambda a: a * 1j)(x)
    jacfwd(lambda a: a * 1j)(x)
    jacfwd(lambda a: a + torch.rand(3))(x)
    functionalize(f, remove='nothing')
    linearize(f, x)[1](line(4))
    linearize(f, x)[1](x, x)
    linearize(f, x)[1](x.float())
    fwAD.make_dual(x, x)
    fwAD.exit_dual_level()
    duals(lambda d: fwAD.enter_dual_level(), x)
    duals(lambda d: fwAD.exit_dual_level(level=3), x)
    duals(lambda d: fwAD.make_dual(d, d), x)
    duals(lambda d: fwAD.make_dual(x, d), x)
    duals(lambda d: fwAD.make_dual(x, torch.arange(3)), x)
    duals(lambda d: fwAD.make_dual(torch.arange(3), x), x)
    duals(lambda d: fwAD.make_dual(x, line(4)), x)
    duals(lambda d: torch.add(d, x, out=torch.empty(3)), x)
    duals(lambda d: torch.heaviside(d, d), x)
    duals(broken, x)
    functional.jacobian(f, x, strategy='forward-mode')
    functional.jacobian(f, x, strict=True, vectorize=True, strategy='forward-mode')
    rearrange(W, 'a b -> a')
    rearrange(W, 'a -> a')
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]
