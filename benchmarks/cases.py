"""What is measured, on whichever library is named: one function a case, found by its name."""

from __future__ import annotations

import importlib
import json
import sys
import timeit

CASES = {}


def case(number: int):
    """Register a case that runs its body ``number`` times per timing."""
    def register(make):
        CASES[make.__doc__] = (make, number)
        return make
    return register


@case(100_000)
def add(torch):
    """x + x, 4x4"""
    x = torch.ones(4, 4)
    return lambda: x + x


@case(100_000)
def add_requires_grad(torch):
    """x + x, 4x4, requires_grad"""
    x = torch.ones(4, 4, requires_grad=True)
    return lambda: x + x


@case(50_000)
def add_number(torch):
    """x + 1, 4x4"""
    x = torch.ones(4, 4)
    return lambda: x + 1


@case(20_000)
def linear(torch):
    """linear 16x32 -> 24"""
    x, w, b = torch.ones(16, 32), torch.ones(24, 32), torch.ones(24)
    linear = torch.nn.functional.linear
    return lambda: linear(x, w, b)


@case(200)
def mlp_sgd_step(torch):
    """training step of mlp_sgd"""
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


@case(30)
def gpt_block_step(torch):
    """training step of gpt_block"""
    from gpt import training_step
    return training_step(torch)


def main() -> None:
    library, names = sys.argv[1], sys.argv[2:]
    torch = importlib.import_module(library)
    torch.set_num_threads(1)
    found = {}
    for name, (make, number) in CASES.items():
        if names and not any(n in name for n in names):
            continue
        run = make(torch)
        timeit.timeit(run, number=max(1, number // 10))
        found[name] = min(timeit.repeat(run, number=number, repeat=5)) / number * 1e9
    print(json.dumps(found))


if __name__ == "__main__":
    main()
