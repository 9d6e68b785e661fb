"""Sorting, choosing, counting and accumulating: topk, sort, gather, scatter, cumsum, clamp, extrema."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(19)
    w = torch.randn(5, 7, requires_grad=True)
    index = torch.randint(0, 7, (5, 3))
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            top, where = w.topk(3, dim=1)
            low = w.topk(2, dim=0, largest=False).values
            ranked, order = torch.sort(w, dim=1)
            chosen = w.gather(1, index)
            spread = torch.zeros(5, 7).scatter(1, index, chosen) + torch.zeros(5, 7).scatter_add_(1, index, chosen)
            summed = w.cumsum(1) + w.clamp(-1, 1).cumprod(0)
            bounds = [
                w.max(),
                w.min(),
                w.max(1).values.sum(),
                w.min(0)[0].sum(),
                w.amax((0, 1)),
                w.amin(1).sum(),
                w.median(),
                w.median(1).values.sum(),
                torch.maximum(w, w.t()[:5, :1]).sum(),
                w.kthvalue(2, 1).values.sum(),
            ]
            cut = (
                w.clamp(min=-0.5).sum()
                + w.clamp(max=torch.tensor(0.5)).sum()
                + w.clamp_min(0).mean()
                + w.clip(-2, 2).sum()
            )
            loss = top.sum() + low.sum() + ranked[:, 0].sum() + spread.sum() + summed.mean() + sum(bounds) + cut
            loss = loss + w.logsumexp(1).sum() + w.logcumsumexp(0).mean() + (w[:, 1:] - w[:, :-1]).abs().sum()
            loss.backward()
            with torch.no_grad():
                hits = (order[:, -1:] == where[:, :1]).all() & (w.argmax(1) == where[:, 0]).any() & ~w.isnan().any()
                counts = torch.bincount(index.flatten(), minlength=7)
                unique, times = torch.unique(index, return_counts=True)
                bins = (
                    torch.bucketize(w, torch.tensor([-1.0, 0.0, 1.0])).sum() + torch.searchsorted(ranked[0], w[0]).sum()
                )
                close = torch.allclose(w, w + 1e-9) and torch.equal(counts[unique], times)
                w -= 1e-3 * w.grad
            w.grad = None
            out.append([loss.item(), hits.item(), counts.tolist(), bins.item(), close])
            prof.step()
    return prof, out
