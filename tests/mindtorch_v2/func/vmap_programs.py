"""Programs under vmap that PyTorch was asked about (tools/record_vmap.py): what they give, draw, or refuse."""

from __future__ import annotations

from collections.abc import Callable

# In all of them x is a 3 × 4 matrix, p one of probabilities, w a vector of 4, i three positions, b true where x > 0.
VALUES = {
    "over the first dimension": "vmap(torch.sin)(x)",
    "over the last dimension": "vmap(torch.cumsum, in_dims=(-1, None))(x, 0)",
    "out to the last dimension": "vmap(lambda a: a * 2, out_dims=-1)(x)",
    "inputs shared by all": "vmap(torch.mul, in_dims=(0, None))(x, w)",
    "a tree of inputs": "vmap(lambda t: t['a'] + t['b'][0], in_dims=({'a': 0, 'b': [None]},))({'a': x, 'b': [w]})",
    "a tree of outputs": "vmap(lambda a: {'s': a.sum(), 't': (a, a + 1)}, out_dims={'s': 0, 't': (1, 0)})(x)",
    "an output that is the same for all": "vmap(lambda a: (a, w), out_dims=(0, None))(x)",
    "an output made once for each": "vmap(lambda a: torch.zeros(2))(x)",
    "arguments by name": "vmap(lambda a, k: a * k)(x, k=2)",
    "two levels": "vmap(vmap(torch.mul, in_dims=(0, None)), in_dims=(None, 0))(x[0], w)",
    "two levels of one tensor": "vmap(vmap(lambda a: a.exp()), in_dims=1)(x)",
    "chunks": "vmap(lambda a, b: (a * b).sum(), chunk_size=2)(x, x)",
    "chunks out to another dimension": "vmap(lambda a: a + 1, out_dims=1, chunk_size=2)(x)",
    "no members": "vmap(torch.sin)(x[:0])",
    "written in place": "vmap(lambda a: a.clone().mul_(2).add_(w))(x)",
    "written through a view": "vmap(lambda a: (lambda c: (c[1:].zero_(), c)[1])(a.clone()))(x)",
    "a position of its own": "vmap(lambda a: a[a.argmax()])(x)",
    "positions of its own": "vmap(lambda a, j: a[torch.stack([j, j + 1])])(x, i)",
    "positions along a later dimension": "vmap(lambda j: x[:, j])(i)",
    "one mask for all": "vmap(lambda a: a[torch.tensor([True, False, True, True])])(x)",
    "a number among members is a number": "vmap(lambda a: a[0].double() * torch.ones(2))(x)",
    "a number beside a matrix": "vmap(lambda a: a.sum() + torch.ones(2, 2, dtype=torch.float16))(x.double())",
    "a size that is asked for": "vmap(lambda a: a.reshape(2, -1).t().reshape(-1))(x)",
    "a new tensor like a member": "vmap(lambda a: a.new_zeros(2) + a[:2])(x)",
    "one dimension of embedding rows": "vmap(torch.nn.functional.embedding, in_dims=(0, None))(i, x)",
    "each its own table": "vmap(torch.nn.functional.embedding)(torch.stack([i, i, i]), torch.stack([x, x + 1, x + 2]))",
    "text": "(lambda seen: (vmap(lambda a: (seen.append(repr(a)), a)[1])(torch.arange(3.)), seen)[1])([])",
    "text of two levels": "(lambda seen: (vmap(vmap(lambda a: (seen.append(repr(a)), a)[1]))(torch.ones(1, 2)), "
                          "seen)[1])([])",
}
RANDOM = {f"{randomness}: {call}": f"vmap(lambda a: {call}, randomness='{randomness}')(x)" for randomness in
          ("different", "same", "error") for call in (
    "torch.rand(3)", "torch.randn(2, 2)", "torch.randint(0, 9, (3,))", "torch.randperm(5)",
    "torch.normal(0., 1., (2,))", "torch.rand_like(a)", "torch.randn_like(w)", "torch.randint_like(a, 5)",
    "torch.bernoulli(a.sigmoid())", "torch.bernoulli(w.sigmoid())", "torch.bernoulli(a.sigmoid(), 0.5)",
    "torch.normal(a, 2.)", "torch.poisson(w.abs())", "torch.multinomial(w.abs(), 2)", "torch.multinomial(a.abs(), 2)",
    "a.clone().uniform_()", "a.clone().normal_()", "a.clone().bernoulli_(0.5)", "w.clone().exponential_()",
    "torch.nn.functional.dropout(a, 0.5)",
    "torch.nn.functional.dropout(w, 0.5)", "torch.nn.functional.dropout(a, 0.5, training=False)",
    "torch.nn.functional.alpha_dropout(a, 0.5)", "torch.rand(2) + torch.rand(2)")}
RANDOM |= {"the same in chunks": "vmap(lambda a: torch.rand(2), randomness='same', chunk_size=1)(x)",
           "different in two levels": "vmap(vmap(lambda a: torch.rand(2), randomness='different'), "
                                      "randomness='same')(x)"}
REFUSED = {
    "a number of a member": "vmap(lambda a: a.sum().item())(x)",
    "a float of a member": "vmap(lambda a: a * float(a[0]))(x)",
    "a branch": "vmap(lambda a: a if a.sum() > 0 else -a)(x)",
    "a mask of its own": "vmap(lambda a: a[a > 0])(x)",
    "masked_select": "vmap(lambda a: a.masked_select(a > 0))(x)",
    "nonzero": "vmap(torch.nonzero)(x)",
    "where the condition holds": "vmap(lambda a: torch.where(a > 0))(x)",
    "unique": "vmap(torch.unique)(x)",
    "allclose": "vmap(lambda a: torch.allclose(a, a))(x)",
    "equal": "vmap(lambda a: torch.equal(a, a))(x)",
    "one_hot of unknown classes": "vmap(torch.nn.functional.one_hot)(i)",
    "out=": "vmap(lambda a: torch.sin(a, out=torch.zeros(4)))(x)",
    "index_put_ into one tensor": "vmap(lambda a: w.clone().index_put_((i,), a[:3]))(x)",
    "data": "vmap(lambda a: a.data)(x)",
    "numbers": "vmap(lambda a: a.tolist())(x)",
    "an array": "vmap(lambda a: a.numpy())(x)",
    "an address": "vmap(lambda a: a.data_ptr())(x)",
    "storage": "vmap(lambda a: a.untyped_storage())(x)",
    "layout by channels": "vmap(lambda a: a.is_contiguous(memory_format=torch.channels_last))(x)",
    "requires_grad_": "vmap(lambda a: a.requires_grad_())(x)",
    "backward": "vmap(lambda a: a.sum().backward())(x)",
    "mm of vectors": "vmap(torch.mm)(x, x)",
    "bmm of vectors": "vmap(torch.bmm)(x, x)",
    "mv of vectors": "vmap(torch.mv)(x, x)",
    "dot of a matrix": "vmap(lambda a: torch.dot(a, torch.ones(2, 2)))(x)",
    "memory of another": "vmap(lambda a: torch.as_strided(a, (2,), (8,)))(x)",
    "sizes without strides": "vmap(lambda a: torch.as_strided(a, (2,), (1, 1)))(x)",
    "running statistics of all": "vmap(lambda a: torch.nn.functional.batch_norm(a.view(2, 2), torch.zeros(2), "
                                 "torch.ones(2), training=True))(x)",
    "drawn into one tensor": "vmap(lambda a: torch.zeros(3).uniform_(), randomness='different')(x)",
    "a Function without setup_context": "vmap(Old.apply)(x)",
    "a Function without vmap": "vmap(Plain.apply)(x)",
    "a Function with two rules": "vmap(Both.apply)(x)",
    "no inputs": "vmap(lambda: x)()",
    "nothing to map over": "vmap(torch.add, in_dims=(None, None))(x, x)",
    "batches of different sizes": "vmap(torch.add)(x, x[:2])",
    "in_dims of another structure": "vmap(torch.add, in_dims=(0,))(x, x)",
    "in_dims in a list": "vmap(torch.add, in_dims=[0, 0])(x, x)",
    "in_dims out of range": "vmap(torch.add, in_dims=(0, 5))(x, x)",
    "in_dims of a word": "vmap(torch.add, in_dims=(0, 'a'))(x, x)",
    "in_dims of a number": "vmap(torch.add, in_dims=(0, 0))(x, 3)",
    "out_dims of a word": "vmap(torch.add, out_dims='x')(x, x)",
    "out_dims of another structure": "vmap(torch.add, out_dims=(0, 0))(x, x)",
    "out_dims out of range": "vmap(torch.add, out_dims=5)(x, x)",
    "out_dims of nothing": "vmap(torch.add, out_dims=None)(x, x)",
    "an output that is no tensor": "vmap(lambda a: 3.0)(x)",
    "an unknown randomness": "vmap(torch.add, randomness='some')",
    "chunks of none": "vmap(torch.add, chunk_size=0)",
}
PROGRAMS = {**VALUES, **RANDOM, **REFUSED}


def functions(torch) -> dict:
    """Functions that vmap is asked to go through."""
    class Old(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    class Plain(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    class Both(Plain):
        generate_vmap_rule = True

        @staticmethod
        def vmap(info, in_dims, x):
            return x, 0

    return {"Old": Old, "Plain": Plain, "Both": Both}


def answer(torch, expression: str, encode: Callable) -> dict:
    """What a program gives, or the complaint it raises."""
    x = (torch.arange(12.) * 7 % 11 - 5).reshape(3, 4) / 4
    scope = {"torch": torch, "vmap": torch.vmap, "x": x, "w": torch.tensor([0.5, 1.5, -1., 2.]),
             "i": torch.tensor([0, 2, 1]), **functions(torch)}
    torch.manual_seed(5)
    try:
        return {"value": plain(torch, eval(expression, scope), encode)}
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error).partition("\n")[0]}


def plain(torch, value, encode: Callable):
    """A value in JSON, its tensors as ``encode`` has them."""
    if isinstance(value, dict):
        return {key: plain(torch, item, encode) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(torch, item, encode) for item in value]
    return encode(torch, value)
