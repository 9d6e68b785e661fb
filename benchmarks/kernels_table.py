"""Kernels and training steps that are timed side by side with PyTorch: family, name, what is set up, what is run."""

from __future__ import annotations

from typing import NamedTuple


class Kernel(NamedTuple):
    """A line: ``setup`` makes the inputs, ``statement`` is timed."""

    family: str
    name: str
    setup: str
    statement: str


SQUARE = "x = torch.randn(1000, 1000)"
PAIR = "x, y = torch.randn(1000, 1000), torch.randn(1000, 1000)"
IMAGES = "x = torch.randn(8, 32, 56, 56)"
TRAINED = "; x.requires_grad_()"
BACK = ".sum().backward()"

_ROWS = {
    "reductions": [
        ("sum", SQUARE, "x.sum()"), ("sum, dim 0", SQUARE, "x.sum(0)"), ("sum, dim 1", SQUARE, "x.sum(1)"),
        ("mean", SQUARE, "x.mean()"), ("norm", SQUARE, "x.norm()"), ("cumsum", SQUARE, "x.cumsum(1)"),
        ("var", SQUARE, "x.var()"), ("var, dim 0", SQUARE, "x.var(0)"), ("max, dim 1", SQUARE, "x.max(1)"),
        ("argmax", SQUARE, "x.argmax(1)"), ("logsumexp", SQUARE, "x.logsumexp(1)"),
        ("prod, dim 1", SQUARE, "x.prod(1)"), ("any", SQUARE, "(x > 5).any()"),
        ("sum of int64", "x = torch.arange(1_000_000)", "x.sum()"),
        ("sum, middle of three", "x = torch.randn(64, 128, 128)", "x.sum(1)"),
        ("sum, transposed", SQUARE, "x.t().sum(0)"), ("norm, dim 1", SQUARE, "x.norm(dim=1)"),
        ("nansum", SQUARE, "x.nansum()"), ("cumprod", SQUARE, "x.cumprod(1)"), ("cummax", SQUARE, "x.cummax(1)"),
    ],
    "strided and copies": [
        ("add", PAIR, "x + y"), ("add a transposed", PAIR, "x + y.t()"), ("add a row", PAIR, "x + y[0]"),
        ("add a column", PAIR, "x + y[:, :1]"), ("add of slices", PAIR, "x[:, ::2] + y[:, ::2]"),
        ("permute copy", "x = torch.randn(64, 64, 32, 8)", "x.permute(0, 2, 1, 3).contiguous()"),
        ("transpose copy", SQUARE, "x.t().contiguous()"), ("cat", PAIR, "torch.cat([x, y], 1)"),
        ("cat, dim 0", PAIR, "torch.cat([x, y])"), ("clone", SQUARE, "x.clone()"),
        ("mul in place", PAIR, "x.mul_(y)"), ("addcmul", PAIR, "torch.addcmul(x, x, y, value=0.5)"),
        ("compare", PAIR, "x < y"), ("where", PAIR, "torch.where(x < 0, x, y)"),
        ("channels last", IMAGES, "x.contiguous(memory_format=torch.channels_last)"),
        ("flip", SQUARE, "x.flip(1)"), ("roll", SQUARE, "x.roll(3, 1)"), ("tril", SQUARE, "x.tril()"),
        ("windows", SQUARE, "x.unfold(1, 3, 1).contiguous()"), ("linspace", "pass", "torch.linspace(0, 1, 1_000_000)"),
        ("arange of floats", "pass", "torch.arange(1_000_000.)"),
    ],
    "activations and losses": [
        ("relu", SQUARE, "torch.relu(x)"), ("gelu", SQUARE, "F.gelu(x)"),
        ("gelu with backward", SQUARE + TRAINED, f"F.gelu(x){BACK}"),
        ("gelu, tanh", SQUARE, "F.gelu(x, approximate='tanh')"), ("sigmoid", SQUARE, "x.sigmoid()"),
        ("silu", SQUARE, "F.silu(x)"), ("tanh", SQUARE, "x.tanh()"), ("exp", SQUARE, "x.exp()"),
        ("log", "x = torch.rand(1000, 1000)", "x.log()"), ("sqrt", "x = torch.rand(1000, 1000)", "x.sqrt()"),
        ("pow 3", SQUARE, "x ** 3"), ("sin", SQUARE, "x.sin()"), ("softmax", SQUARE, "x.softmax(1)"),
        ("log_softmax", SQUARE, "x.log_softmax(1)"), ("leaky_relu", SQUARE, "F.leaky_relu(x)"),
        ("clamp", SQUARE, "x.clamp(-1, 1)"),
        ("cross-entropy with backward",
         "x = torch.randn(1024, 1000, requires_grad=True); t = torch.randint(0, 1000, (1024,))",
         "F.cross_entropy(x, t).backward()"),
        ("mse with backward", PAIR + TRAINED, "F.mse_loss(x, y).backward()"),
        ("dropout", SQUARE, "F.dropout(x, 0.1)"), ("threshold", SQUARE, "F.threshold(x, 0., 1.)"),
        ("sign", SQUARE, "x.sign()"), ("erfc", SQUARE, "x.erfc()"),
        ("log1p", "x = torch.rand(1000, 1000)", "x.log1p()"),
        ("floor_divide", PAIR, "x // y"), ("fmod", PAIR, "torch.fmod(x, y)"), ("remainder", SQUARE, "x % 3"),
        ("pow of arrays", "x, y = torch.rand(1000, 1000), torch.randn(1000, 1000)", "x ** y"),
        ("lerp by an array", PAIR, "torch.lerp(x, y, x)"), ("logaddexp", PAIR, "torch.logaddexp(x, y)"),
        ("erf of float64", "x = torch.randn(1000, 1000).double()", "x.erf()"),
    ],
    "selection": [
        ("gather", SQUARE + "; i = torch.randint(0, 1000, (1000, 1000))", "x.gather(1, i)"),
        ("scatter_add",
         SQUARE + "; i = torch.randint(0, 1000, (1000, 1000)); z = torch.zeros(1000, 1000)",
         "z.scatter_add(1, i, x)"),
        ("index_select", SQUARE + "; i = torch.randint(0, 1000, (1000,))", "x.index_select(0, i)"),
        ("rows by index", SQUARE + "; i = torch.randint(0, 1000, (1000,))", "x[i]"),
        ("topk", SQUARE, "x.topk(10, 1)"), ("sort", SQUARE, "x.sort(1)"),
        ("argsort", "x = torch.randn(100_000)", "x.argsort()"),
        ("unique", "x = torch.randint(0, 1000, (100_000,))", "x.unique()"),
        ("boolean mask", SQUARE + "; m = x > 0", "x[m]"), ("nonzero", SQUARE + "; m = x > 1", "m.nonzero()"),
        ("masked_fill", SQUARE + "; m = x > 0", "x.masked_fill(m, 0.)"),
        ("embedding", "w = torch.randn(10_000, 256); i = torch.randint(0, 10_000, (64, 64))", "F.embedding(i, w)"),
        ("embedding backward",
         "w = torch.randn(10_000, 256, requires_grad=True); i = torch.randint(0, 10_000, (64, 64))",
         f"F.embedding(i, w){BACK}"),
        ("scatter_reduce, amax", SQUARE + "; i = torch.randint(0, 1000, (1000, 1000))",
         "x.scatter_reduce(1, i, x, 'amax')"),
        ("index_put, added", SQUARE + "; i = torch.randint(0, 1000, (1000, 1000)); z = torch.zeros(1_000_000)",
         "z.index_put((i,), x, accumulate=True)"),
        ("one-hot", "i = torch.randint(0, 100, (4096,))", "F.one_hot(i, 100)"),
    ],
    "half types and integers": [
        ("bf16 add", "x = torch.randn(1000, 1000).bfloat16()", "x + x"), ("to bf16", SQUARE, "x.bfloat16()"),
        ("from bf16", "x = torch.randn(1000, 1000).bfloat16()", "x.float()"),
        ("bf16 product", "x = torch.randn(256, 256).bfloat16()", "x @ x"),
        ("f16 add", "x = torch.randn(1000, 1000).half()", "x + x"),
        ("bf16 gelu", "x = torch.randn(1000, 1000).bfloat16()", "F.gelu(x)"),
        ("bf16 max, dim 1", "x = torch.randn(1000, 1000).bfloat16()", "x.max(1)"),
        ("bf16 sum", "x = torch.randn(1000, 1000).bfloat16()", "x.sum()"),
        ("bf16 square", "x = torch.randn(1000, 1000).bfloat16()", "x ** 2"),
        ("bf16 fill", "x = torch.randn(1000, 1000).bfloat16()", "x.fill_(1.)"),
        ("bf16 index_add", "x = torch.randn(1000, 1000).bfloat16(); i = torch.randint(0, 1000, (1000,))",
         "x.index_add(0, i, x)"),
        ("float64 to f16", "x = torch.randn(1000, 1000).double()", "x.half()"),
        ("int64 sum, dim 1", "x = torch.randint(0, 9, (1000, 1000))", "x.sum(1)"),
        ("int64 product", "x = torch.randint(0, 10, (256, 256))", "x @ x"),
        ("int64 add", "x = torch.arange(1_000_000)", "x + x"),
        ("int64 to float", "x = torch.arange(1_000_000)", "x.float()"),
    ],
    "products": [
        ("mm 1024", "x = torch.randn(1024, 1024)", "x @ x"),
        ("mm 1024, float64", "x = torch.randn(1024, 1024).double()", "x @ x"),
        ("linear 512", "x, w, b = torch.randn(512, 512), torch.randn(512, 512), torch.randn(512)", "F.linear(x, w, b)"),
        ("bmm 64 of 64", "x = torch.randn(64, 64, 64)", "x @ x"),
        ("einsum of attention scores",
         "q, k = torch.randn(4, 128, 8, 32), torch.randn(4, 128, 8, 32)",
         "torch.einsum('bqhd,bkhd->bhqk', q, k)"),
        ("attention", "q = torch.randn(4, 8, 128, 32)", "F.scaled_dot_product_attention(q, q, q, is_causal=True)"),
        ("attention with backward",
         "q = torch.randn(4, 8, 128, 32, requires_grad=True)",
         f"F.scaled_dot_product_attention(q, q, q, is_causal=True){BACK}"),
        ("mv", "x, v = torch.randn(2000, 2000), torch.randn(2000)", "x @ v"),
    ],
    "layers": [
        ("conv 3x3", IMAGES + "; w = torch.randn(64, 32, 3, 3)", "F.conv2d(x, w, padding=1)"),
        ("conv 3x3 with backward",
         IMAGES + TRAINED + "; w = torch.randn(64, 32, 3, 3, requires_grad=True)",
         f"F.conv2d(x, w, padding=1){BACK}"),
        ("conv 1x1", IMAGES + "; w = torch.randn(64, 32, 1, 1)", "F.conv2d(x, w)"),
        ("depthwise conv", IMAGES + "; w = torch.randn(32, 1, 3, 3)", "F.conv2d(x, w, padding=1, groups=32)"),
        ("strided conv 7x7",
         "x, w = torch.randn(4, 3, 112, 112), torch.randn(64, 3, 7, 7)",
         "F.conv2d(x, w, stride=2, padding=3)"),
        ("conv1d", "x, w = torch.randn(8, 64, 512), torch.randn(64, 64, 3)", "F.conv1d(x, w, padding=1)"),
        ("conv3d", "x, w = torch.randn(2, 8, 16, 28, 28), torch.randn(16, 8, 3, 3, 3)", "F.conv3d(x, w, padding=1)"),
        ("conv_transpose2d",
         "x, w = torch.randn(8, 64, 28, 28), torch.randn(64, 32, 4, 4)",
         "F.conv_transpose2d(x, w, stride=2, padding=1)"),
        ("max_pool2d", IMAGES, "F.max_pool2d(x, 2)"), ("avg_pool2d", IMAGES, "F.avg_pool2d(x, 2)"),
        ("adaptive_avg_pool2d", IMAGES, "F.adaptive_avg_pool2d(x, 1)"),
        ("batch norm, training", IMAGES + "; m = torch.nn.BatchNorm2d(32)", "m(x)"),
        ("batch norm with backward", IMAGES + TRAINED + "; m = torch.nn.BatchNorm2d(32)", f"m(x){BACK}"),
        ("layer norm", "x = torch.randn(512, 1024); m = torch.nn.LayerNorm(1024)", "m(x)"),
        ("layer norm with backward",
         "x = torch.randn(512, 1024, requires_grad=True); m = torch.nn.LayerNorm(1024)",
         f"m(x){BACK}"),
        ("group norm", IMAGES + "; m = torch.nn.GroupNorm(8, 32)", "m(x)"),
        ("interpolate, bilinear", IMAGES, "F.interpolate(x, scale_factor=2, mode='bilinear')"),
        ("interpolate, nearest", IMAGES, "F.interpolate(x, scale_factor=2)"),
        ("LSTM", "m, x = torch.nn.LSTM(128, 128), torch.randn(32, 16, 128)", "m(x)"),
        ("LSTM with backward", "m, x = torch.nn.LSTM(128, 128), torch.randn(32, 16, 128)", f"m(x)[0]{BACK}"),
        ("GRU", "m, x = torch.nn.GRU(128, 128), torch.randn(32, 16, 128)", "m(x)"),
    ],
    "random": [
        ("randn", "pass", "torch.randn(1000, 1000)"), ("rand", "pass", "torch.rand(1000, 1000)"),
        ("randint", "pass", "torch.randint(0, 100, (1000, 1000))"), ("randperm", "pass", "torch.randperm(100_000)"),
    ],
    "optimizer": [
        ("AdamW over 4 M, foreach",
         "p = [torch.randn(1000, 1000, requires_grad=True) for _ in range(4)]; "
         "o = torch.optim.AdamW(p, foreach=True)\n" "for t in p: t.grad = torch.randn(1000, 1000)",
         "o.step()"),
        ("AdamW over 4 M, fused",
         "p = [torch.randn(1000, 1000, requires_grad=True) for _ in range(4)]; "
         "o = torch.optim.AdamW(p, fused=True)\n" "for t in p: t.grad = torch.randn(1000, 1000)",
         "o.step()"),
        ("SGD with momentum over 4 M",
         "p = [torch.randn(1000, 1000, requires_grad=True) for _ in range(4)]; "
         "o = torch.optim.SGD(p, 1e-9, 0.9)\n" "for t in p: t.grad = torch.randn(1000, 1000)",
         "o.step()"),
    ],
    "steps": [
        ("MLP 784-1024-1024-10", "from steps import mlp; step = mlp(torch)", "step()"),
        ("three transformer blocks of width 256", "from steps import transformer; step = transformer(torch)", "step()"),
        ("CNN with batch norm", "from steps import cnn; step = cnn(torch)", "step()"),
        ("LSTM language model", "from steps import language_model; step = language_model(torch)", "step()"),
    ],
}
KERNELS = [Kernel(family, *row) for family, rows in _ROWS.items() for row in rows]
