"""Random numbers drawn inside the step, from the default and from own generators."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(20)
    own = torch.Generator().manual_seed(5)
    net = nn.Linear(6, 4)
    opt = torch.optim.RAdam(net.parameters(), lr=1e-2)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            x = torch.randn(8, 6) + torch.rand(8, 1, generator=own)
            x = x + 0.1 * torch.randn_like(x) + torch.rand_like(x).lt(0.1)
            x = x[torch.randperm(8)] + torch.normal(0.0, 1.0, (8, 6), generator=own)
            labels = torch.randint(4, (8,), generator=own)
            keep = torch.bernoulli(torch.full((8, 4), 0.7)) + torch.empty(8, 4).bernoulli_(0.5)
            z = F.dropout(net(x), 0.2) * keep + torch.empty(8, 4).uniform_(-0.1, 0.1) + torch.empty(4).normal_(0, 0.1)
            picked = torch.multinomial(z.detach().softmax(1), 2, replacement=True)
            once = torch.multinomial(z.detach().softmax(1), 3)
            noise = -torch.log(-torch.log(torch.rand(8, 4) + 1e-9) + 1e-9) + torch.empty(8, 4).exponential_()
            soft = F.gumbel_softmax(z, tau=0.5, hard=True)
            loss = (
                F.cross_entropy(z + noise, labels)
                + (soft * z).sum()
                + F.dropout1d(z, 0.5).mean()
                + F.alpha_dropout(z, 0.1, True).mean()
            )
            opt.zero_grad()
            loss.backward()
            opt.step()
            fresh = nn.Linear(3, 3)
            nn.init.xavier_normal_(fresh.weight)
            nn.init.trunc_normal_(fresh.bias, std=0.5)
            out.append(
                [
                    loss.item(),
                    picked.sum().item(),
                    once.sum().item(),
                    fresh.weight.sum().item(),
                    fresh.bias.sum().item(),
                ]
            )
            prof.step()
    return prof, out
