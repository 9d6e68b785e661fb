"""A training loop with four common mistakes; the report names each of them. without_mistakes.py has none of the four.

    mindtorch profile -o before --steps 10 --stack examples/with_mistakes.py
    mindtorch summary before/profile.mtprof
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

PIXELS, CLASSES, BATCH = 196, 10, 32


class Pictures(Dataset):
    """Pictures that are decoded from bytes."""

    def __init__(self, n: int):
        self.raw = [bytes((7 * index + 13 * pixel) % 256 for pixel in range(PIXELS)) for index in range(n)]

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        # Mistake 1: every item is decoded in Python, while the training step waits for it.
        return torch.tensor([value / 255 for value in self.raw[index]]), index % CLASSES


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The mean negative log-likelihood."""
    # Mistake 2: a Python loop over rows, with some tiny ops for each.
    total = torch.zeros(())
    for row, label in zip(logits.log_softmax(1), labels):
        total = total - row[label]
    return total / len(labels)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--steps", type=int, default=20)
    steps = arguments.parse_args().steps

    torch.manual_seed(0)
    loader = DataLoader(Pictures(steps * BATCH), batch_size=BATCH)
    model = nn.Sequential(nn.Linear(PIXELS, 32), nn.ReLU(), nn.Linear(32, CLASSES))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for pictures, labels in loader:
        optimizer.zero_grad(set_to_none=False)  # Mistake 3: gradients are filled with zeros and then added to.
        loss = loss_of(model(pictures), labels)
        loss.backward()
        optimizer.step()
        history.append(loss.item())  # Mistake 4: every step waits for its loss.
    print(f"loss {history[0]:.4f} at first, {history[-1]:.4f} at last")


if __name__ == "__main__":
    main()
