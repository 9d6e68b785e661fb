"""Training steps of four usual models, small enough to be timed and large enough to be work."""

from __future__ import annotations

from collections.abc import Callable


def training_step(torch, model, loss_of: Callable, *inputs) -> Callable:
    """One step: forward, loss, backward, AdamW."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def step():
        optimizer.zero_grad()
        loss_of(model, *inputs).backward()
        optimizer.step()
    return step


def _classified(torch) -> Callable:
    return lambda model, x, target: torch.nn.functional.cross_entropy(model(x), target)


def mlp(torch) -> Callable:
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))
    return training_step(torch, model, _classified(torch), torch.randn(64, 784), torch.randint(0, 10, (64,)))


def transformer(torch) -> Callable:
    layer = torch.nn.TransformerEncoderLayer(256, 8, 1024, 0.0, "gelu", batch_first=True, norm_first=True)
    model = torch.nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
    return training_step(torch, model, lambda model, x: model(x).square().mean(), torch.randn(8, 64, 256))


def cnn(torch) -> Callable:
    nn = torch.nn

    def block(fan_in: int, fan_out: int) -> list:
        convolution = nn.Conv2d(fan_in, fan_out, 3, padding=1, bias=False)
        return [convolution, nn.BatchNorm2d(fan_out), nn.ReLU(), nn.MaxPool2d(2)]
    model = nn.Sequential(*block(3, 32), *block(32, 64), *block(64, 128), nn.Flatten(), nn.Linear(128 * 4 * 4, 10))
    return training_step(torch, model, _classified(torch), torch.randn(16, 3, 32, 32), torch.randint(0, 10, (16,)))


def language_model(torch) -> Callable:
    nn, words = torch.nn, 1000

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.lstm = nn.Embedding(words, 128), nn.LSTM(128, 128, 2)
            self.head = nn.Linear(128, words)

        def forward(self, tokens):
            return self.head(self.lstm(self.embedding(tokens))[0]).flatten(0, 1)
    tokens = torch.randint(0, words, (32, 16))
    return training_step(torch, Model(), _classified(torch), tokens, tokens.flatten())
