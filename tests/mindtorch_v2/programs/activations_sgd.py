"""A deep stack of activations trained by SGD with Nesterov momentum and weight decay."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn = torch.nn
    torch.manual_seed(1)
    kinds = [
        nn.GELU(),
        nn.GELU(approximate="tanh"),
        nn.SiLU(),
        nn.ELU(),
        nn.LeakyReLU(0.1),
        nn.Softplus(),
        nn.Hardtanh(),
        nn.Tanh(),
        nn.Sigmoid(),
        nn.Hardswish(),
        nn.Mish(),
        nn.ReLU6(),
        nn.SELU(),
        nn.CELU(),
        nn.Softsign(),
        nn.LogSigmoid(),
        nn.Hardsigmoid(),
        nn.Threshold(0.1, 0.0),
        nn.Softshrink(0.1),
        nn.Tanhshrink(),
        nn.ReLU(inplace=True),
    ]
    net = nn.Sequential(*[m for kind in kinds for m in (nn.Linear(4, 4), kind)], nn.Linear(4, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-3)
    x, y = torch.randn(6, 4), torch.randn(6, 1)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            out.append(loss.item())
            prof.step()
    return prof, out
