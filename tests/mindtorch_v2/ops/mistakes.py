"""What users get wrong: an expression a line, which torch refuses. ``x`` is 2 by 3, ``y`` 4 by 5, ``d`` in double."""

from __future__ import annotations

SETTING = {"x": "torch.ones(2, 3)", "y": "torch.ones(4, 5)", "d": "torch.ones(2, 3, dtype=torch.float64)",
           "F": "torch.nn.functional", "layer": "torch.nn.Linear(3, 4)", "i": "torch.tensor([0, 1])",
           "b": "torch.ones(2, 2, 2)", "w": "torch.ones(2, requires_grad=True)",
           "hooked": "lambda hook: (w.register_hook(hook), (w * w).sum().backward())"}

SHAPES = """
x @ y
torch.mm(torch.ones(3), x)
torch.bmm(x, x)
torch.bmm(torch.ones(2, 3, 4), torch.ones(3, 4, 5))
torch.dot(torch.ones(3), torch.ones(4))
torch.addmm(torch.ones(2), x, y)
torch.mv(x, torch.ones(2))
layer(y)
torch.cat([x, y])
torch.cat([x, torch.ones(2, 3, 4)])
torch.stack([x, y])
x + y
x.view(4)
x.view(-1, 4)
x.t().view(6)
x.reshape(5)
x.expand(4, 3)
x.squeeze(5)
x.permute(0, 0)
x.sum((0, 0))
torch.zeros(0).max()
torch.linspace(-0.5, 9, 3, dtype=torch.uint8)
torch.linspace(0, 1e40, 3)
torch.logspace(0, 300, 3, dtype=torch.int8)
torch.zeros(2, 0).amax(-1)
torch.zeros(2, 0).amin((0, 1))
torch.zeros(2, 0).max(-1)
torch.aminmax(torch.zeros(2, 0), dim=-1)
torch.linalg.vector_norm(torch.zeros(2, 0), float("inf"))
torch.linalg.vector_norm(torch.zeros(2, 0), -2, (0, -1))
torch.linalg.matrix_norm(torch.zeros(3, 0), -2)
x.item()
bool(x)
len(torch.tensor(1))
F.cross_entropy(x, torch.tensor([0, 5]))
F.cross_entropy(x, torch.tensor([0, 1, 2]))
F.binary_cross_entropy(x, y)
F.layer_norm(x, [4])
F.embedding(torch.tensor([9]), x)
torch.Size([1, 2.5])
torch.broadcast_shapes((2,), (3,))
torch.broadcast_shapes((2, 3), (2, 4), (2, 3))
torch.broadcast_shapes((-1,))
torch.broadcast_shapes((1.5,))
torch.Size([2]) + [1]
"""

TYPES = """
layer(d)
layer(torch.ones(2, 3, dtype=torch.int64))
torch.mm(x, d.t())
torch.addmm(torch.ones(3), x, torch.ones(3, 3, dtype=torch.float64))
torch.ones(2, dtype=torch.long).mean()
torch.ones(2, dtype=torch.long).add_(1.5)
~x
x & x
-torch.ones(2, dtype=torch.bool)
torch.tensor([1, 2], requires_grad=True)
torch.finfo(torch.int32)
torch.iinfo(torch.float32)
torch.baddbmm(b, b.double(), b)
torch.baddbmm(b, b, b.double())
torch.baddbmm(b.double(), b, b)
torch.normal(1.0, i)
torch.normal(i, 1.0)
torch.set_default_dtype("float")
setattr(w, "data", i)
"""

INDICES = """
x[5]
x[0, 5]
x[0, 0, 0]
x[1.5]
x[torch.tensor([5])]
x[:, torch.tensor([0, 7])]
x[torch.ones(3, dtype=torch.bool)]
x[i, torch.tensor([0, 1, 2])]
x[::-1]
torch.gather(x, 0, torch.tensor([[5]]))
torch.index_select(x, 3, i)
torch.split(x, [1, 2, 3])
torch.topk(x, 5)
x[::0]
"""

ARGUMENTS = """
torch.cat(x)
torch.cat([x, 3])
torch.cat([x], "a")
torch.cat()
torch.stack([1, 2])
torch.add(x, x, alpha="a")
torch.add(x, x, x, x)
torch.add(x, "a")
torch.add("a", x)
torch.add(x, x, by=1)
x.add("a")
x.add_("a")
x.sum(by=1)
x.sum(dim="a")
x.sum(1, by=2)
x.masked_fill(x > 0, "a")
x.max("a", "b")
torch.squeeze(x, "a")
torch.squeeze(x, by=2)
x.reshape("a")
x.reshape()
x.transpose(0)
x.permute("a")
torch.zeros(2, "a")
torch.zeros(2, dtype="float")
torch.zeros(2, by=1)
torch.zeros()
torch.rand("a")
torch.full((2,))
torch.full(2, 3)
torch.relu()
torch.relu(1)
torch.relu([1])
torch.relu(x, x)
torch.exp(3.5)
torch.mm(x, 1)
torch.matmul(x, 1)
torch.softmax(x)
torch.gather(x, 0)
torch.cumsum(x)
torch.unsqueeze(x)
x.uniform_("a")
x.clone(1)
torch.randint(10, 5)
torch.sub("a", x)
torch.einsum("ij", 3)
x.requires_grad_(1)
x.backward("a")
x.sum(0, 1, 2)
x.view((1, "a"))
x.view([1.5, [2]])
x.view((1.5,))
x.view(1, [2])
x.sum([[0]])
torch.zeros([1, "a"])
torch.zeros([[1]])
torch.zeros(size=["a"])
F.pad(x, (1, "a"))
F.max_pool2d(b, (1.5,))
"""

FUNCTIONS = """
F.relu(1)
F.relu(None)
F.elu(1)
F.leaky_relu([1])
F.dropout("a")
F.gelu(1)
F.cross_entropy(x, 1)
F.cross_entropy(1, i)
F.cross_entropy(x, None)
F.nll_loss(x, 1)
F.mse_loss(x, 1)
F.binary_cross_entropy_with_logits(x, 1)
F.embedding(1, x)
F.embedding(i, 1)
F.layer_norm(x, 3)
F.layer_norm(1, (3,))
F.linear(x, 1)
F.linear(1, x)
F.pad(x, 1)
F.scaled_dot_product_attention(x, x, 1)
layer([1.0, 2.0, 3.0])
torch.nn.ReLU()([1.0])
torch.nn.Embedding(3, 4)([0, 1])
"""

TRANSFORMS = """
torch.hann_window(5, dtype=torch.int32)
torch.kaiser_window(5, layout=torch.sparse_coo)
torch.hamming_window(5, alpha=0.5)
torch.bartlett_window(1.5)
torch.fft.fft(1)
torch.fft.fft(x, "a")
torch.fft.fftn(x, dim="a")
torch.fft.fftfreq("a")
torch.istft(x)
torch.istft(torch.ones(5, 6, dtype=torch.complex64), 8, window=torch.zeros(8))
torch.special.i0(1)
torch.special.zeta(1, 2)
torch.special.polygamma(x, 1)
torch.special.logsumexp(x)
torch.special.entr(x, out=i)
torch.polygamma(x, 1)
torch.mvlgamma(x)
torch.logit(x, "a")
x.polygamma("a")
"""

HOOKS = """
hooked(lambda grad: "a")
hooked(lambda grad: grad[:1])
hooked(max)
"""

EXPRESSIONS = [line for part in (SHAPES, TYPES, INDICES, ARGUMENTS, FUNCTIONS, TRANSFORMS, HOOKS)
               for line in part.strip().splitlines()]


def outcome(torch, expression: str) -> list[str]:
    """The type and text of the error that an expression raises."""
    known = {"torch": torch}
    known |= {name: eval(text, known) for name, text in SETTING.items()}
    try:
        return ["none", repr(eval(expression, known))]
    except Exception as error:
        return [type(error).__name__, str(error)]
