"""Training steps: as they are, and while everything but stacks is recorded."""

from __future__ import annotations

from contextlib import nullcontext

from gpt import training_step as gpt_step
from ops import best_ns, profiled, unprofiled_ns

ROUNDS = 5


def mlp_step(torch):
    """A closure that trains the golden program mlp_sgd for one step."""
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 24), nn.Tanh(), nn.Linear(24, 5))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    lossfn = nn.CrossEntropyLoss()
    x, y = torch.randn(16, 20), torch.randint(0, 5, (16,))

    def step():
        opt.zero_grad()
        loss = lossfn(net(x), y)
        loss.backward()
        opt.step()
        return loss.item()

    return step


def mlp_sgd(torch) -> float:
    return unprofiled_ns(mlp_step(torch), 200) / 1000


def gpt_block(torch) -> float:
    return unprofiled_ns(gpt_step(torch), 30) / 1000


def slowdown(torch, step, number: int) -> float:
    """Recorded against unprofiled, taken in turns; the best of each."""
    recording = profiled(torch, record_shapes=True, profile_memory=True, with_flops=True)
    rounds = [best_ns(step, number, nullcontext, recording) for _ in range(ROUNDS)]
    plain, recorded = map(min, zip(*rounds))
    return recorded / plain


def mlp_sgd_recorded(torch) -> float:
    return slowdown(torch, mlp_step(torch), 100)


def gpt_block_recorded(torch) -> float:
    return slowdown(torch, gpt_step(torch), 15)
