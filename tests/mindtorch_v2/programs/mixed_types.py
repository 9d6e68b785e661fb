"""bfloat16, double, integers and complex views meeting in one step."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(25)
    half, full = nn.Linear(4, 6).to(torch.bfloat16), nn.Linear(6, 3)
    opt = torch.optim.SGD([*half.parameters(), *full.parameters()], lr=0.05)
    x, n = torch.randn(5, 4), torch.arange(5)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad()
            h = F.gelu(half(x.to(torch.bfloat16)))
            h = F.layer_norm(h, (6,)).softmax(-1).to(torch.float32) * 3
            z = full(h) + n.unsqueeze(1) * 0.1 + torch.tensor(0.5, dtype=torch.float64)
            z = z * (n % 2 == 0).unsqueeze(1) + n.double().unsqueeze(1).div(7).float()
            wave = torch.view_as_complex(torch.stack([n.float().cos(), n.float().sin()], 1))
            ints = (
                (n // 2 + n**2 - (n << 1) & 7).sum().item()
                + n.float().mean().type(torch.int32).item()
                + (n / 2).sum().item()
            )
            spectrum = torch.view_as_real(wave * wave).sum() + torch.view_as_complex(z[:, :2].contiguous()).real.sum()
            loss = (
                z.pow(2).mean()
                + spectrum * 0.1
                + h.bfloat16().sum().float() * 0.01
                + torch.tensor([1, 2, 3]).mul(z).mean()
            )
            loss.backward()
            opt.step()
            out.append([round(loss.item(), 2), ints, torch.result_type(n, 1.0) == torch.float32])
            prof.step()
    return prof, out
