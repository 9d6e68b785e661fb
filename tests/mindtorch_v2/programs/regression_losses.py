"""Losses of regression in every reduction, over broadcast and double-precision parts."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    wide = nn.Linear(4, 2).double()
    opt = torch.optim.RMSprop([*net.parameters(), *wide.parameters()], lr=1e-2, momentum=0.5, centered=True)
    x, y = torch.randn(5, 4), torch.randn(5, 2)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad()
            p = net(x)
            loss = F.mse_loss(p, y, reduction="sum") + F.mse_loss(p, y, reduction="none").sum(1).mean()
            loss = loss + F.l1_loss(p, y) + F.l1_loss(p, y, reduction="none").max() + F.huber_loss(p, y, delta=0.5)
            loss = loss + F.smooth_l1_loss(p, y, reduction="sum", beta=0.3) + F.smooth_l1_loss(p, y, beta=0.0)
            loss = loss + F.gaussian_nll_loss(p, y, p.exp() + 0.1) + F.poisson_nll_loss(p, y.abs())
            loss = loss + F.huber_loss(p, y, reduction="none").mean(0).sum()
            loss = loss + F.mse_loss(wide(x.double()), y.double()).float() + F.soft_margin_loss(p, y.sign())
            loss.backward()
            opt.step()
            out.append(loss.item())
            prof.step()
    return prof, out
