"""Causal attention written out, with tied embeddings and a language-model loss."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional

    class Attention(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads, self.qkv, self.proj = heads, nn.Linear(width, 3 * width), nn.Linear(width, width, bias=False)
            self.register_buffer("bias", torch.tril(torch.ones(8, 8)).view(1, 1, 8, 8))

        def forward(self, x):
            B, T, C = x.size()
            q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in self.qkv(x).split(C, dim=2))
            att = (q @ k.transpose(-2, -1)) * (1.0 / k.size(-1) ** 0.5)
            att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
            att = F.dropout(F.softmax(att, dim=-1), 0.1, self.training)
            return self.proj((att @ v).transpose(1, 2).contiguous().view(B, T, C))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.wte, self.wpe = nn.Embedding(11, 8), nn.Embedding(8, 8)
            self.ln, self.attn, self.norm = nn.LayerNorm(8), Attention(8, 2), nn.LayerNorm(8, elementwise_affine=False)
            self.head = nn.Linear(8, 11, bias=False)
            self.head.weight = self.wte.weight

        def forward(self, idx):
            x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
            x = x + self.attn(self.ln(x))
            return self.head(self.norm(x))

    torch.manual_seed(9)
    net = Model()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2, betas=(0.9, 0.95))
    idx = torch.randint(0, 11, (2, 7))
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            logits = net(idx[:, :-1])
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), idx[:, 1:].reshape(-1), ignore_index=3)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            out.append(loss.item())
            prof.step()
    return prof, out
