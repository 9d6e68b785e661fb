"""Losses that compare embeddings, from a table with a padding row."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(5)
    table = nn.Embedding(9, 6, padding_idx=0)
    head = nn.Linear(6, 6)
    opt = torch.optim.Adagrad([*table.parameters(), *head.parameters()], lr=0.1, lr_decay=0.01)
    ids = torch.tensor([[1, 2, 0], [3, 4, 4], [8, 0, 0], [5, 6, 7]])
    sign = torch.tensor([1.0, -1.0, 1.0, -1.0])
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad(set_to_none=False)
            e = table(ids)
            mask = (ids != 0).unsqueeze(-1)
            bag = (e * mask).sum(1) / mask.sum(1).clamp(min=1)
            a, b, c = bag, head(bag), bag.flip(0)
            loss = F.cosine_embedding_loss(a, b, sign) + F.triplet_margin_loss(a, b, c)
            loss = loss + F.margin_ranking_loss(a[:, 0], b[:, 1], sign) + F.hinge_embedding_loss(a[:, 2], sign)
            loss = loss + F.pairwise_distance(a, c).mean() + (a - b).norm(dim=1).max()
            loss.backward()
            opt.step()
            out.append([loss.item(), table.weight.grad[0].abs().sum().item()])
            prof.step()
    return prof, out
