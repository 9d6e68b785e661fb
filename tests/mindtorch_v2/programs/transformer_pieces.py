"""A pre-norm block with rotary positions, RMSNorm, SwiGLU, grouped heads and a key-value cache."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.n1, self.n2 = nn.RMSNorm(16, eps=1e-5), nn.RMSNorm(16, eps=1e-5)
            self.q, self.k, self.v, self.o = (nn.Linear(16, n, bias=False) for n in (16, 8, 8, 16))
            self.gate, self.up, self.down = (
                nn.Linear(16, 24, bias=False),
                nn.Linear(16, 24, bias=False),
                nn.Linear(24, 16, bias=False),
            )

        def forward(self, x, cos, sin, cache=None):
            B, T, _ = x.shape
            h = self.n1(x)
            q, k, v = (m(h).view(B, T, -1, 4).transpose(1, 2) for m in (self.q, self.k, self.v))
            q, k = (t * cos + torch.cat((-t[..., 2:], t[..., :2]), dim=-1) * sin for t in (q, k))
            if cache is not None:
                k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
            k2, v2 = (
                k.repeat_interleave(2, dim=1),
                v[:, :, None].expand(B, 2, 2, v.size(2), 4).reshape(B, 4, v.size(2), 4),
            )
            a = F.scaled_dot_product_attention(q, k2, v2, is_causal=cache is None)
            x = x + self.o(a.transpose(1, 2).reshape(B, T, 16))
            return x + self.down(F.silu(self.gate(self.n2(x))) * self.up(self.n2(x))), (k, v)

    torch.manual_seed(27)
    table, block = nn.Embedding(13, 16), Block()
    opt = torch.optim.AdamW([*table.parameters(), *block.parameters()], lr=1e-2, foreach=True, weight_decay=0.1)
    angles = torch.outer(torch.arange(8).float(), 1.0 / 100 ** (torch.arange(0, 4, 2).float() / 4))
    cos, sin = torch.cat((angles, angles), -1).cos(), torch.cat((angles, angles), -1).sin()
    ids = torch.randint(13, (2, 6))
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            h, _ = block(table(ids[:, :-1]), cos[:5], sin[:5])
            loss = F.cross_entropy(F.linear(h, table.weight).flatten(0, 1), ids[:, 1:].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(block.parameters(), 1.0)
            opt.step()
            with torch.inference_mode():
                h, cache = block(table(ids[:1, :3]), cos[:3], sin[:3])
                token = torch.argmax(h[:, -1] @ table.weight.T, dim=-1, keepdim=True)
                h, cache = block(table(token), cos[3:4], sin[3:4], cache)
                probs = F.softmax((h[:, -1] @ table.weight.T) / 0.8, dim=-1)
                top = torch.topk(probs, 3)
            out.append([loss.item(), token.item(), top.values.sum().item(), cache[0].shape[2]])
            prof.step()
    return prof, out
