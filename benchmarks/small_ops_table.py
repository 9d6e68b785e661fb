"""Calls on a few numbers, where what counts is the way to the kernel and not the kernel itself."""

from __future__ import annotations

from kernels_table import Kernel

SETUP = """
x, y, out = torch.ones(4, 4), torch.ones(4, 4), torch.ones(4, 4)
learned = torch.ones(4, 4, requires_grad=True)
rows, weight, bias, vector = torch.ones(16, 32), torch.ones(24, 32), torch.ones(24), torch.ones(32)
learned_weight = torch.ones(24, 32, requires_grad=True)
places, mask, line = torch.tensor([0, 2, 1]), x > 2, torch.ones(100)
zeros, one_row = torch.zeros(16, dtype=torch.long), torch.zeros(1, 4, dtype=torch.long)
heads, image, kernel = torch.ones(1, 2, 8, 8), torch.ones(1, 3, 8, 8), torch.ones(4, 3, 3, 3)
"""
_MODULES = SETUP + """
nn, number = torch.nn, torch.tensor(1.0)
fc, norm, conv, batch_norm = nn.Linear(32, 32), nn.LayerNorm(32), nn.Conv2d(3, 4, 3), nn.BatchNorm1d(32)
relu, table, mlp = nn.ReLU(), nn.Embedding(10, 8), nn.Sequential(fc, nn.ReLU(), nn.Linear(32, 4))
mlp(rows).sum().backward()
sgd, adam = torch.optim.SGD(mlp.parameters(), 0.0, momentum=0.9), torch.optim.AdamW(mlp.parameters(), 0.0)
import importlib
data = importlib.import_module(torch.__name__ + ".utils.data")
samples = [(vector, 1) for _ in range(8)]
"""
# By family, what is run; the name of a line is its statement.
_STATEMENTS = {
    "elementwise": """
        x + x | learned + learned | x + 1 | x * 2.0 | x * y | -x | x / y | x - 1 | 1 - x | x ** 2 | x.pow(3)
        x.add_(0) | y.mul_(1.0) | x == y | x > 0 | x.exp() | x.sqrt() | x.abs() | x.floor() | x.clamp(0, 1)
        F.relu(x) | F.gelu(x) | x.sigmoid() | torch.minimum(x, y) | torch.lerp(x, y, 0.5) | torch.addcmul(x, x, y)
        torch.where(mask, x, y) | x.masked_fill(mask, 0.0) | zeros + 1 | zeros * 2.0 | zeros << 1 | F.glu(x)
        F.dropout(x, 0.5) | x.neg() | x.log1p() | x.tanh() | F.silu(x) | F.leaky_relu(x) | x // 2 | x % 2 | x.sign()
        x.round() | torch.maximum(x, y) | x.clamp_min(0.5) | x.logical_not() | mask & mask | ~mask | x.isnan()
        x.eq(1) | x.mul(y) | x.sub(y, alpha=2) | x.div_(1.0) | torch.atan2(x, y)
    """,
    "products": """
        F.linear(rows, weight, bias) | F.linear(rows, learned_weight, bias) | torch.mm(x, y) | x @ y | rows @ vector
        torch.bmm(x[None], y[None]) | torch.addmm(x, x, y) | torch.mm(x, y, out=out) | torch.outer(vector, vector)
        torch.dot(vector, vector) | torch.matmul(rows, weight.t()) | torch.baddbmm(heads[0], heads[0], heads[0])
        torch.einsum("ij,jk->ik", x, y) | F.scaled_dot_product_attention(heads, heads, heads)
    """,
    "reductions": """
        x.sum() | x.sum(0) | x.mean() | x.mean(-1, keepdim=True) | x.max() | x.max(1) | x.argmax(1) | x.var()
        x.std(0) | x.norm() | mask.all() | mask.any() | x.prod() | x.logsumexp(0) | line.cumsum(0) | line.sort()
        line.topk(5) | x.amax(1) | x.min() | x.argmin() | x.sum((0, 1)) | x.sum(1, keepdim=True) | x.cumprod(0)
        torch.median(line) | x.count_nonzero() | x.var(1) | torch.allclose(x, y) | torch.equal(x, y)
    """,
    "layers and losses": """
        F.softmax(x, -1) | F.log_softmax(x, -1) | F.cross_entropy(rows, zeros) | F.layer_norm(rows, (32,))
        F.embedding(places, weight) | F.mse_loss(x, y) | F.binary_cross_entropy_with_logits(x, y)
        F.batch_norm(rows, vector * 0, vector) | F.pad(x, (1, 1)) | F.conv2d(image, kernel) | F.max_pool2d(image, 2)
        F.nll_loss(rows, zeros) | F.l1_loss(x, y) | F.smooth_l1_loss(x, y) | F.avg_pool2d(image, 2)
        F.adaptive_avg_pool2d(image, 1) | F.group_norm(image, 3) | F.one_hot(places) | F.normalize(rows)
        F.cosine_similarity(rows, rows) | F.interpolate(image, scale_factor=2) | (learned * learned).sum().backward()
    """,
    "views and indices": """
        x[0] | x[:, 1:3] | x[places] | x[mask] | x[0, 0].item() | x.view(16) | x.reshape(2, 8) | x.t()
        x.transpose(0, 1) | x.permute(1, 0) | x.unsqueeze(0) | x.squeeze() | line.expand(3, 100) | x.flatten()
        x.contiguous() | x.chunk(2) | x.split(2) | x.unbind() | [row for row in x] | x.index_select(0, places)
        x.gather(0, one_row) | x.scatter(0, one_row, 1.0) | mask.nonzero() | x.tril() | x.flip(0) | x.roll(1)
        x.repeat(2, 2) | torch.cat([x, y]) | torch.stack([x, y]) | x[None] | x[-1, 2] | x[..., 0] | x[::2] | x.T
        x.view(-1) | x.select(0, 1) | x.narrow(0, 1, 2) | x.movedim(0, 1) | x.swapaxes(0, 1) | x.diagonal() | x.triu()
        x.take(places) | x.masked_select(mask) | torch.vstack([x, y]) | x.expand_as(x) | x.unfold(0, 2, 1)
        x.index_add(0, places, x[:3]) | torch.meshgrid(line, line, indexing="ij")
    """,
    "made and asked": """
        torch.empty(4, 4) | torch.zeros(4, 4) | torch.ones(4, 4) | torch.full((4,), 1.0) | torch.zeros_like(x)
        torch.arange(10) | torch.linspace(0, 1, 5) | torch.eye(4) | torch.tensor([1.0, 2.0]) | torch.randn(4, 4)
        torch.rand(4) | torch.randint(0, 5, (4,)) | x.clone() | x.detach() | x.copy_(y) | x.to(torch.float64)
        torch.full_like(x, 2.0) | torch.empty_like(x) | x.new_zeros(4) | torch.as_tensor(x) | x.type_as(y) | x.long()
        x.float() | x.numpy() | line.tolist() | x.shape | x.size(0) | x.is_contiguous() | len(x) | bool(x[0, 0] > 0)
        number.item() | float(number) | int(places[1]) | [line[i].item() for i in range(20)] | line[3] = 1.0
        x[1, 2] = 3.0 | x.tolist() | torch.tensor([[1, 2], [3, 4]]) | torch.tensor(3.0) | str(x.shape)
        x.requires_grad | x.data_ptr() | repr(x)
    """,
    "learned": """
        learned + 1 | learned @ learned | learned.sum() | learned[0] | learned.view(16) | learned.softmax(-1)
        torch.cat([learned, learned]) | learned.sum().backward() | torch.autograd.grad(learned.sum(), learned)
        norm(rows).sum().backward() | mlp(rows).sum().backward() | F.cross_entropy(fc(rows), zeros).backward()
    """,
    "modules and steps": """
        fc(rows) | norm(rows) | conv(image) | batch_norm(rows) | relu(x) | table(places) | mlp(rows) | sgd.step()
        adam.step() | sgd.zero_grad(set_to_none=False) | nn.utils.clip_grad_norm_(mlp.parameters(), 1.0)
        list(mlp.parameters()) | data.default_collate(samples) | [b for b in data.DataLoader(samples, batch_size=4)]
    """,
}
SMALL_OPS = [Kernel(family, statement.strip(), _MODULES, statement.strip())
             for family, text in _STATEMENTS.items() for line in text.strip().splitlines()
             for statement in line.split(" | ")]
