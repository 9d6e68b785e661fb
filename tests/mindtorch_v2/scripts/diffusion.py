"""A small denoising diffusion model: noise by a schedule, a network told the step, an average of weights, sampling."""

import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
STEPS = 20
betas = torch.linspace(1e-4, 0.02, STEPS)
alphas = 1.0 - betas
alpha_bars = torch.cumprod(alphas, dim=0)


def embedding(t, dim):
    freqs = torch.exp(-math.log(10000) * torch.arange(dim // 2) / (dim // 2))
    angles = t[:, None].float() * freqs[None]
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


class Block(nn.Module):
    def __init__(self, cin, cout, dim):
        super().__init__()
        self.norm = nn.GroupNorm(2, cin)
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.time = nn.Linear(dim, cout)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, emb):
        h = self.conv(F.silu(self.norm(x))) + self.time(emb)[:, :, None, None]
        return self.skip(x) + F.dropout(h, 0.1, self.training)


class Denoiser(nn.Module):
    def __init__(self, width=8, dim=16):
        super().__init__()
        self.dim = dim
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.first = nn.Conv2d(1, width, 3, padding=1)
        self.down = Block(width, width * 2, dim)
        self.attention = nn.MultiheadAttention(width * 2, 2, batch_first=True)
        self.up = Block(width * 3, width, dim)
        self.last = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x, t):
        emb = self.mlp(embedding(t, self.dim))
        first = self.first(x)
        h = self.down(F.avg_pool2d(first, 2), emb)
        seq = h.flatten(2).transpose(1, 2)
        h = h + self.attention(seq, seq, seq, need_weights=False)[0].transpose(1, 2).view_as(h)
        h = F.interpolate(h, scale_factor=2, mode="nearest")
        return self.last(self.up(torch.cat([h, first], dim=1), emb))


model = Denoiser()
average = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
images = torch.rand(16, 1, 8, 8) * 2 - 1
for step in range(10):
    batch = images[(step % 4) * 4:(step % 4 + 1) * 4]
    t = torch.randint(0, STEPS, (4,))
    noise = torch.randn_like(batch)
    scale = alpha_bars[t][:, None, None, None]
    loss = F.mse_loss(model(scale.sqrt() * batch + (1 - scale).sqrt() * noise, t), noise)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        for kept, new in zip(average.parameters(), model.parameters()):
            kept.lerp_(new, 0.1)
    print(f"loss {loss.item():.6f}")

average.eval()
with torch.no_grad():
    x = torch.randn(2, 1, 8, 8)
    for t in reversed(range(STEPS)):
        predicted = average(x, torch.full((2,), t))
        x = (x - betas[t] / (1 - alpha_bars[t]).sqrt() * predicted) / alphas[t].sqrt()
        if t > 0:
            x = x + betas[t].sqrt() * torch.randn_like(x)
print(f"loss {x.pow(2).mean().item():.6f}")
