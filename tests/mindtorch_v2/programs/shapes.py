"""Joining, splitting and rearranging tensors, with gradients through all of it."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    F = torch.nn.functional
    torch.manual_seed(18)
    w = torch.randn(4, 6, requires_grad=True)
    x = torch.randn(2, 4)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            h = x @ w
            a, b, c = h.chunk(3, dim=1)
            d = torch.cat([a, b * 2, c], dim=0)
            e = torch.stack([a, b, c], dim=1)
            f = torch.where(e > 0, e, e * 0.1) + torch.where(e.sum() > 0, 1.0, 0.0)
            g = torch.hstack((a, b)) + torch.vstack((a, b)).reshape(2, 4)
            rolled = h.roll(1, 1) + h.flip(0) + h.repeat(1, 1) + h.T.contiguous().t()
            tiled = (
                torch.tile(a, (2, 2)).sum() + a.repeat_interleave(3, dim=0).sum() + F.pad(b, (1, 2), value=0.5).sum()
            )
            low = torch.tril(h) + torch.triu(h, 1) + torch.diag_embed(a).sum() + torch.diag(a[:, :2]).sum()
            moved = e.permute(2, 0, 1).movedim(0, -1).swapaxes(0, 1).flatten(1).unflatten(1, (2, 2))
            m = torch.meshgrid(a[0], b[0], indexing="ij")[0].sum() + torch.broadcast_to(c, (3, 2, 2)).mean()
            split = torch.tensor_split(h, (1, 4), dim=1)
            tops = [
                t.sum() for t in (d, f, g, rolled, low, moved, *split, *h.unbind(1), *torch.broadcast_tensors(a, b[0]))
            ]
            loss = torch.stack(tops).mean() + tiled + m + h.squeeze().unsqueeze(-1).sum()
            loss = loss + h.ravel()[:3].sum() + h.expand_as(e.new_zeros(3, 2, 6)).mean() + h.view_as(h).sum()
            loss.square().backward()
            with torch.no_grad():
                w -= 1e-4 * w.grad
            w.grad = None
            out.append(loss.item())
            prof.step()
    return prof, out
