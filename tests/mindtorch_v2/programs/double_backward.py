"""A gradient penalty, a Hessian-vector product and gradients of part of a graph."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, grad = torch.nn, torch.autograd.grad
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 6), nn.SiLU(), nn.Linear(6, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    x, v = torch.randn(4, 3), torch.randn(4, 3)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            x_ = x.clone().requires_grad_(True)
            score = net(x_)
            (gx,) = grad(score, x_, grad_outputs=torch.ones_like(score), create_graph=True)
            penalty = (gx.norm(2, dim=1) - 1).pow(2).mean()
            (hv,) = grad((gx * v).sum(), x_, retain_graph=True)
            loss = nn.functional.softplus(-score).mean() + 0.1 * penalty
            opt.zero_grad()
            loss.backward()
            opt.step()
            z = x.clone().requires_grad_()
            energy = (z.exp() * z.sin()).sum() + torch.logsumexp(z, 1).sum() + z.sigmoid().prod(1).sum()
            (g1,) = grad(energy, z, create_graph=True)
            (g2,) = grad(g1.pow(2).sum(), z)
            unused = grad([z.sum() * 2, z.mean()], [z, x_], allow_unused=True)
            out.append([loss.item(), hv.sum().item(), g2.norm().item(), unused[1] is None])
            prof.step()
    return prof, out
