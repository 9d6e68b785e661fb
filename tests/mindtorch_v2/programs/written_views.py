"""Views written through under autograd: slices, columns, diagonals, and their gradients."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(16)
    w = torch.randn(4, 6, requires_grad=True)
    x = torch.randn(5, 4)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            h = x @ w
            buffer = torch.zeros(5, 8)
            buffer[:, :6] = h
            buffer[:, 6] = h[:, 0] * 2
            buffer[2:4, 1:3] += 1
            buffer[:, -1].copy_(h.sum(1))
            view = buffer.view(-1)[::2]
            view.mul_(0.5)
            square = buffer[:, :5].clone()
            square.diagonal().add_(1)
            square.t()[0].fill_(0.25)
            part = square.narrow(0, 1, 2).unsqueeze(0).expand(3, 2, 5)
            first, *rest = buffer.unbind(0)
            a, b = buffer.split([3, 5], dim=1)
            c = torch.relu_(a.clone()).add(0.5).sub_(1).div_(2).transpose_(0, 1).unsqueeze_(0).squeeze_()
            loss = buffer.square().sum() + part.mean() + (first * rest[1]).sum() + c.tanh_().sum() + b.abs().mean()
            loss.backward()
            with torch.no_grad():
                w[0].sub_(w.grad[0], alpha=0.01)
                w[:, 1] -= 0.01 * w.grad[:, 1]
            w.grad = None
            out.append(loss.item())
            prof.step()
    return prof, out
