"""Overlapping windows of a sequence by Tensor.unfold, averaged, and their gradient."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(30)
    w = torch.randn(2, 9, requires_grad=True)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            smooth = w.unfold(1, 3, 2).mean(-1)
            loss = smooth.square().sum()
            loss.backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
            w.grad = None
            out.append(loss.item())
            prof.step()
    return prof, out
