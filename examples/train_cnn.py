"""A small convolutional network learns to tell horizontal from vertical stripes.

    mindtorch run examples/train_cnn.py
    mindtorch profile --shapes --memory examples/train_cnn.py --steps 20
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.nn import functional as F

BATCH, SIZE, CLASSES = 32, 16, 2


def stripes(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Noisy pictures of stripes, and whether they are vertical."""
    labels = torch.randint(CLASSES, (n,))
    waves = torch.sin(torch.arange(SIZE) * 1.5 + torch.rand(n, 1) * 6)
    rows, columns = waves.unsqueeze(2).expand(n, SIZE, SIZE), waves.unsqueeze(1).expand(n, SIZE, SIZE)
    pictures = torch.where(labels.view(n, 1, 1) == 1, columns, rows) + torch.randn(n, SIZE, SIZE)
    return pictures.unsqueeze(1), labels


class Network(nn.Module):
    """Two convolutions with BatchNorm, each followed by pooling, and a classifier."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(16, CLASSES)

    def forward(self, pictures):
        return self.classifier(self.features(pictures).flatten(1))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--steps", type=int, default=60)
    steps = arguments.parse_args().steps

    torch.manual_seed(0)
    model = Network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for step in range(steps):
        pictures, labels = stripes(BATCH)
        loss = F.cross_entropy(model(pictures), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step:3}  loss {loss.item():.4f}")
    model.eval()
    with torch.no_grad():
        pictures, labels = stripes(8 * BATCH)
        accuracy = (model(pictures).argmax(1) == labels).float().mean()
    print(f"accuracy {accuracy.item():.2f}")


if __name__ == "__main__":
    main()
