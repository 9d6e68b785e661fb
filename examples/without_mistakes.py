"""The training loop of with_mistakes.py, put right: the same data, model and losses.

    mindtorch profile -o after --steps 10 --stack examples/without_mistakes.py
    mindtorch diff before/profile.mtprof after/profile.mtprof
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

PIXELS, CLASSES, BATCH = 196, 10, 32


def pictures(n: int) -> TensorDataset:
    """All pictures in one tensor, decoded once."""
    raw = b"".join(bytes((7 * index + 13 * pixel) % 256 for pixel in range(PIXELS)) for index in range(n))
    decoded = torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(n, PIXELS) / 255
    return TensorDataset(decoded, torch.arange(n) % CLASSES)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--steps", type=int, default=20)
    steps = arguments.parse_args().steps

    torch.manual_seed(0)
    loader = DataLoader(pictures(steps * BATCH), batch_size=BATCH)
    model = nn.Sequential(nn.Linear(PIXELS, 32), nn.ReLU(), nn.Linear(32, CLASSES))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for batch, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch), labels)
        loss.backward()
        optimizer.step()
        history.append(loss.detach())
    print(f"loss {history[0].item():.4f} at first, {history[-1].item():.4f} at last")


if __name__ == "__main__":
    main()
