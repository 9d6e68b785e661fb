"""A small GPT learns a text, character by character.

    mindtorch run examples/train_gpt.py
    mindtorch profile --steps 20-30 --shapes --memory --flops examples/train_gpt.py --steps 40
"""

from __future__ import annotations

import argparse
import math

import torch
from torch import nn
from torch.nn import functional as F

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
        self.tokens, self.positions = nn.Embedding(vocabulary, WIDTH), nn.Embedding(BLOCK, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, vocabulary, bias=False)
        self.head.weight = self.tokens.weight
        self.apply(small_weights)

    def forward(self, idx, target):
        x = self.tokens(idx) + self.positions(torch.arange(idx.size(1)))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), target.view(-1))


def small_weights(module: nn.Module) -> None:
    """GPT-2's initial weights: with them all characters are about equally likely before the first step."""
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


def batch(data):
    """Random windows of the text, and the same windows one character later."""
    windows = torch.randint(len(data) - BLOCK - 1, (BATCH, 1)) + torch.arange(BLOCK)
    return data[windows], data[windows + 1]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--steps", type=int, default=200)
    steps = arguments.parse_args().steps

    torch.manual_seed(0)
    letters = sorted(set(TEXT))
    data = torch.tensor([letters.index(letter) for letter in TEXT])
    model = GPT(len(letters))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    print(f"a vocabulary of {len(letters)}: a model that knows nothing has a loss of {math.log(len(letters)):.2f}")
    for step in range(steps):
        loss = model(*batch(data))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step:4}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
