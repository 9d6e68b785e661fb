"""Gated activations, learned slopes and softmaxes over 3-d, non-contiguous input without biases."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(2)
    up, down = nn.Linear(6, 12, bias=False), nn.Linear(6, 6, bias=False)
    slope, slopes = nn.PReLU(), nn.PReLU(6)
    parameters = [p for m in (up, down, slope, slopes) for p in m.parameters()]
    x = torch.randn(6, 3, 5).transpose(0, 2)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            h = down(F.glu(up(x)))
            a, b = up(slope(h)).chunk(2, dim=-1)
            h = F.silu(a) * b + slopes(h.flatten(0, 1)).view(5, 3, 6)
            p = F.softmax(h, dim=-1) + F.log_softmax(h, dim=1) + F.softmin(h, dim=0)
            q = F.normalize(p, dim=-1) - F.cosine_similarity(h, p, dim=-1).unsqueeze(-1)
            loss = q.square().mean() + F.relu(h).sum() * 1e-3
            loss.backward()
            with torch.no_grad():
                for w in parameters:
                    w.sub_(w.grad, alpha=0.1)
                    w.grad.zero_()
            out.append(loss.item())
            prof.step()
    return prof, out
