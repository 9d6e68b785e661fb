"""One small net per optimiser, the single-tensor paths."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, optim = torch.nn, torch.optim
    torch.manual_seed(6)
    makers = [
        lambda p: optim.AdamW(p, lr=1e-2, amsgrad=True),
        lambda p: optim.Adam(p, lr=1e-2, maximize=True),
        lambda p: optim.RMSprop(p, lr=1e-2),
        lambda p: optim.Adagrad(p, lr=1e-2),
        lambda p: optim.Adamax(p, lr=1e-2),
        lambda p: optim.RAdam(p, lr=1e-2),
        lambda p: optim.NAdam(p, lr=1e-2),
        lambda p: optim.Adadelta(p, lr=0.5),
        lambda p: optim.ASGD(p, lr=1e-2),
        lambda p: optim.SGD(p, lr=0.1, maximize=True),
        lambda p: optim.SGD(p, lr=0.1, momentum=0.5),
    ]
    nets = [nn.Linear(3, 2) for _ in makers]
    opts = [make(net.parameters()) for make, net in zip(makers, nets)]
    x, y = torch.randn(4, 3), torch.randn(4, 2)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            losses = []
            for net, opt in zip(nets, opts):
                opt.zero_grad()
                loss = (net(x) - y).pow(2).mean()
                loss.backward()
                opt.step()
                losses.append(loss.item())
            out.append(losses)
            prof.step()
    return prof, out
