"""Losses of classification: weights, ignored targets, smoothing, class probabilities, reductions."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(5, 7), nn.LeakyReLU(), nn.Linear(7, 4))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2, amsgrad=True, weight_decay=0.01)
    x, y = torch.randn(6, 5), torch.tensor([0, 1, 2, 3, -100, 1])
    weight, soft, hot = torch.rand(4) + 0.5, torch.rand(6, 4).softmax(1), torch.rand(6, 4).round()
    criterion = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad()
            z = net(x)
            logp = z.log_softmax(-1)
            loss = criterion(z, y) + F.cross_entropy(z, soft) + F.cross_entropy(z, y, reduction="none").sum()
            loss = loss + F.nll_loss(logp, y, weight=weight, reduction="sum") + F.nll_loss(logp, y.clamp(min=0))
            loss = loss + F.binary_cross_entropy_with_logits(z, hot, pos_weight=weight)
            loss = loss + F.binary_cross_entropy_with_logits(z, hot, weight=weight, reduction="none").sum()
            loss = loss + F.binary_cross_entropy(z.sigmoid(), hot) + F.kl_div(logp, soft, reduction="batchmean")
            loss = loss + F.kl_div(logp, soft.log(), reduction="sum", log_target=True)
            loss = loss + F.multilabel_soft_margin_loss(z, hot)
            loss.backward()
            opt.step()
            accuracy = (z.argmax(1) == y).float().mean()
            out.append([loss.item(), accuracy.item()])
            prof.step()
    return prof, out
