"""An LSTM learns to continue sine waves that the worker processes of a DataLoader prepare.

    mindtorch run examples/train_lstm.py
    mindtorch profile --shapes examples/train_lstm.py --workers 2
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

LENGTH, HIDDEN, BATCH = 24, 32, 16


class Waves(Dataset):
    """Sine waves with frequencies and phases of their own."""

    def __init__(self, n: int):
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index: int) -> torch.Tensor:
        own = torch.Generator().manual_seed(index)
        frequency, phase = torch.rand(2, generator=own)
        return torch.sin((0.2 + frequency) * torch.arange(LENGTH + 1) + 6 * phase).unsqueeze(1)


class Forecaster(nn.Module):
    """Says for every value of a sequence what comes next."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, HIDDEN, batch_first=True)
        self.head = nn.Linear(HIDDEN, 1)

    def forward(self, values):
        hidden, _ = self.lstm(values)
        return self.head(hidden)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--steps", type=int, default=40)
    arguments.add_argument("--workers", type=int, default=2)
    options = arguments.parse_args()

    torch.manual_seed(0)
    loader = DataLoader(Waves(options.steps * BATCH), batch_size=BATCH, num_workers=options.workers)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step, waves in enumerate(loader):
        loss = F.mse_loss(model(waves[:, :-1]), waves[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"step {step:3}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
