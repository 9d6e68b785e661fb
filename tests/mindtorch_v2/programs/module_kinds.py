"""Containers, parameter lists, a renormalised embedding, bilinear layers, flattening and initialisation in the step."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.paths = nn.ModuleDict(
                {"a": nn.Linear(4, 4), "b": nn.Sequential(nn.Flatten(), nn.Identity(), nn.Linear(4, 4))}
            )
            self.scales = nn.ParameterList([nn.Parameter(torch.ones(4)), nn.Parameter(torch.zeros(1))])
            self.bag, self.pair = nn.Embedding(6, 4, max_norm=3.0), nn.Bilinear(4, 4, 3)
            self.register_buffer("steps", torch.zeros((), dtype=torch.long))

        def forward(self, x, ids):
            self.steps += 1
            y = self.paths["a"](x) * self.scales[0] + self.scales[1]
            z = self.paths["b"](x) + self.bag(ids).mean(1)
            return self.pair(y, z)

    torch.manual_seed(28)
    net = Net().apply(
        lambda m: nn.init.orthogonal_(m.weight) if isinstance(m, nn.Linear) and m.weight.shape[0] == 9 else None
    )
    opt = torch.optim.NAdam(net.parameters(), lr=1e-2, decoupled_weight_decay=True, weight_decay=0.01)
    x, ids, y = torch.randn(3, 4), torch.tensor([[0, 1], [2, 5], [3, 3]]), torch.tensor([0, 2, 1])
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            net.zero_grad()
            loss = F.nll_loss(F.log_softmax(net(x, ids), 1), y) + F.one_hot(y, 3).float().mean()
            loss.backward()
            frozen = [p.requires_grad_(False) for p in net.paths["a"].parameters()]
            opt.step()
            again = net(x.requires_grad_(False), ids).sum()
            again.backward()
            for p in frozen:
                p.requires_grad_(True)
            fresh = nn.Linear(4, 9)
            nn.init.kaiming_uniform_(fresh.weight, nonlinearity="relu")
            nn.init.constant_(fresh.bias, 0.1)
            out.append(
                [loss.item(), net.steps.item(), fresh.weight.sum().item(), sum(p.numel() for p in net.parameters())]
            )
            prof.step()
    return prof, out
