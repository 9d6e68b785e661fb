"""state_dict saved and restored inside the step, parameters as a vector, casts of the model, weights averaged."""

from __future__ import annotations

import copy


def run(torch, prof_kwargs, steps=4):
    nn = torch.nn
    torch.manual_seed(23)
    net = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    mean = [torch.zeros_like(p) for p in net.parameters()]
    x, y = torch.randn(6, 3), torch.randn(6, 2)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for n in range(steps):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            saved = copy.deepcopy(net.state_dict())
            opt.step()
            vector = nn.utils.parameters_to_vector(net.parameters())
            nn.utils.vector_to_parameters(vector.detach() * 0.9, net.parameters())
            for m, p in zip(mean, net.parameters()):
                m.lerp_(p.detach(), 1 / (n + 1))
            other = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2))
            other.load_state_dict(saved)
            moments = opt.state_dict()
            again = torch.optim.Adam(other.parameters(), lr=1e-2)
            again.load_state_dict(moments)
            small = copy.deepcopy(net).to(torch.bfloat16)
            half = small(x.bfloat16()).float()
            wide = copy.deepcopy(net).double()(x.double())
            size = sum(v.numel() for v in saved.values())
            out.append([loss.item(), round(half.sum().item(), 2), wide.sum().item(), size, mean[0].sum().item()])
            prof.step()
    return prof, out
