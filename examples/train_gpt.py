"""A small GPT learns to copy a text, character by character; the profiler shows where the time goes.

    python examples/train_gpt.py                 200 steps, the last two profiled
    python examples/train_gpt.py --trace t.json  also writes a trace that Perfetto and chrome://tracing open
"""

from __future__ import annotations

import argparse

import mindtorch_v2 as torch

nn, F = torch.nn, torch.nn.functional

TEXT = "the quick brown fox jumps over the lazy dog and trains a model of its own. " * 20
BLOCK, WIDTH, HEADS, LAYERS, BATCH = 32, 64, 4, 2, 16


class Block(nn.Module):
    """Pre-norm attention and feed-forward, each added to the stream."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        n, length, _ = x.shape
        q, k, v = (t.view(n, length, HEADS, WIDTH // HEADS).transpose(1, 2)
                   for t in self.qkv(self.norm1(x)).split(WIDTH, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).contiguous().view(n, length, WIDTH))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    """Embeddings, blocks, and a head that shares its weight with the token embedding."""

    def __init__(self, vocabulary: int):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, WIDTH), nn.Embedding(BLOCK, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, vocabulary, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, idx, target):
        x = self.tokens(idx) + self.places(torch.arange(idx.size(1)))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), target.view(-1))


def batch(data):
    """Random windows of the text, and the same one character on."""
    starts = torch.randint(len(data) - BLOCK - 1, (BATCH,))
    x = torch.stack([data[i:i + BLOCK] for i in starts])
    y = torch.stack([data[i + 1:i + 1 + BLOCK] for i in starts])
    return x, y


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--steps", type=int, default=200)
    arguments.add_argument("--trace", help="write a Chrome trace to this file")
    options = arguments.parse_args()

    torch.manual_seed(0)
    letters = sorted(set(TEXT))
    data = torch.tensor([letters.index(c) for c in TEXT])
    model = GPT(len(letters))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    plan = torch.profiler.schedule(wait=max(options.steps - 3, 0), warmup=1, active=2, repeat=1)
    with torch.profiler.profile(schedule=plan, record_shapes=True, profile_memory=True, with_flops=True) as prof:
        for step in range(options.steps):
            loss = model(*batch(data))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            if step % 50 == 0 or step == options.steps - 1:
                print(f"step {step:4}  loss {loss.item():.4f}")
            prof.step()
    print(prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=20))
    if options.trace:
        prof.export_chrome_trace(options.trace)
        print(f"trace written to {options.trace}; open it at ui.perfetto.dev or chrome://tracing")


if __name__ == "__main__":
    main()
