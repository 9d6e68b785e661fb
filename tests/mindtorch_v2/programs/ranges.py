"""record_function nested, as a decorator, across an exception and around a backward pass."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, record_function = torch.nn, torch.profiler.record_function
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(3, 5), nn.Softplus(), nn.Linear(5, 1, bias=False))
    opt = torch.optim.Adadelta(net.parameters())
    x = torch.randn(4, 3)
    out = []

    @record_function("decorated")
    def loss_of(batch):
        with record_function("inner"):
            return net(batch).square().mean()

    with torch.profiler.profile(**prof_kwargs) as prof:
        for n in range(steps):
            with record_function("whole step"), record_function("with argument", str(n)):
                opt.zero_grad()
                with record_function("forward"):
                    loss = loss_of(x)
                try:
                    with record_function("fails"):
                        torch.ones(2) @ torch.ones(3)
                except RuntimeError:
                    pass
                with record_function("empty"):
                    pass
                with record_function("backward"):
                    loss.backward()
            with record_function("update"):
                opt.step()
            out.append(loss.item())
            prof.step()
    return prof, out
