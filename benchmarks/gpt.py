"""The model of the golden program gpt_block, as a step to be timed."""

from __future__ import annotations

VOCABULARY, LENGTH, WIDTH, HEADS = 37, 8, 16, 2


def training_step(torch):
    """A closure that trains a two-block GPT for one step."""
    nn, F = torch.nn, torch.nn.functional  # noqa: N806  as everybody calls it

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.drop = nn.Dropout(0.1)

        def forward(self, x):
            n, length, _ = x.shape
            q, k, v = self.qkv(self.ln1(x)).split(WIDTH, dim=2)
            q, k, v = (t.view(n, length, HEADS, WIDTH // HEADS).transpose(1, 2) for t in (q, k, v))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            y = y.transpose(1, 2).contiguous().view(n, length, WIDTH)
            x = x + self.drop(self.proj(y))
            return x + self.drop(self.down(F.gelu(self.up(self.ln2(x)))))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.wte, self.wpe = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(LENGTH, WIDTH)
            self.blocks = nn.ModuleList([Block() for _ in range(2)])
            self.lnf = nn.LayerNorm(WIDTH)
            self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
            self.head.weight = self.wte.weight

        def forward(self, idx, target):
            x = self.wte(idx) + self.wpe(torch.arange(0, idx.size(1), dtype=torch.long))
            for block in self.blocks:
                x = block(x)
            logits = self.head(self.lnf(x))
            return F.cross_entropy(logits.view(-1, VOCABULARY), target.view(-1), ignore_index=-1)

    torch.manual_seed(9)
    net = GPT()
    decay = [p for p in net.parameters() if p.dim() >= 2]
    rest = [p for p in net.parameters() if p.dim() < 2]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=1e-3)
    data = torch.randint(0, VOCABULARY, (200,))

    def step():
        ix = torch.randint(200 - LENGTH, (3,))
        x = torch.stack([data[i:i + LENGTH] for i in ix])
        y = torch.stack([data[i + 1:i + 1 + LENGTH] for i in ix])
        loss = net(x, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        return loss.item()

    return step
