"""One small net per optimiser, the foreach and fused paths, with weight decay."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, optim = torch.nn, torch.optim
    torch.manual_seed(7)
    many = {"foreach": True}
    makers = [
        lambda p: optim.AdamW(p, lr=1e-2, **many),
        lambda p: optim.AdamW(p, lr=1e-2, fused=True),
        lambda p: optim.Adam(p, lr=1e-2, fused=True, amsgrad=True),
        lambda p: optim.SGD(p, lr=0.1, momentum=0.9, **many),
        lambda p: optim.SGD(p, lr=0.1, fused=True),
        lambda p: optim.RMSprop(p, lr=1e-2, weight_decay=0.1, **many),
        lambda p: optim.Adagrad(p, lr=1e-2, **many),
        lambda p: optim.Adamax(p, lr=1e-2, weight_decay=0.1, **many),
        lambda p: optim.RAdam(p, lr=1e-2, **many),
        lambda p: optim.NAdam(p, lr=1e-2, **many),
        lambda p: optim.Adadelta(p, lr=0.5, **many),
        lambda p: optim.ASGD(p, lr=1e-2, **many),
        lambda p: optim.Adam(p, lr=1e-2, maximize=True, amsgrad=True, **many),
        lambda p: optim.Adagrad(p, lr=1e-2, fused=True),
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
                loss = (net(x) - y).abs().sum()
                loss.backward()
                opt.step()
                losses.append(loss.item())
            out.append(losses)
            prof.step()
    return prof, out
