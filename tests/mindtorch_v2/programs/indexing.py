"""Reading and assigning by numbers, slices, lists, tensors, masks, None and Ellipsis."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(17)
    w = torch.randn(4, 5, 6, requires_grad=True)
    rows, cols = torch.tensor([0, 2, 2]), torch.tensor([1, 4, 0])
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            mask = w[0] > 0
            parts = [
                w[0],
                w[-1, 2],
                w[1, 2, 3],
                w[:, 1:3],
                w[..., ::2],
                w[None, :, 0],
                w[rows],
                w[rows, cols],
                w[:, cols],
                w[rows[:, None], cols],
                w[[0, 1]],
                w[mask.unsqueeze(0).expand(4, 5, 6)],
                w[:, mask],
                w[1:, rows, :2],
                w[0, :, cols],
                w[..., 3],
                w[torch.tensor(2)],
            ]
            loss = sum((p * p).sum() * (n + 1) for n, p in enumerate(parts)) * 0.01
            made = torch.zeros(4, 5, 6)
            made[0] = 1.0
            made[1, 2:4] = w.detach()[0, 2:4]
            made[rows, cols] = 2.0
            made[rows, cols] = w[0, :3] * 2
            made[made > 1.5] = -1.0
            made[..., 0] = torch.arange(5.0)
            made[[1, 3], :, 5] = 7
            made[:, mask] = 0.5
            made[3] *= 2
            table = made.clone()
            table.index_add_(0, rows, made[:3]).index_fill_(1, cols, 0.1).index_copy_(0, torch.tensor([3]), made[:1])
            table = table.masked_fill(table < 0, 0.0).index_select(1, cols).take_along_dim(rows.view(1, 3, 1), 1)
            loss = loss + table.sum() + made.index_put((rows,), w[:3]).mean() + made.masked_select(mask).sum()
            loss.backward()
            with torch.no_grad():
                w -= 0.01 * w.grad
            w.grad = None
            out.append([loss.item(), mask.nonzero().sum().item(), int(mask.sum())])
            prof.step()
    return prof, out
