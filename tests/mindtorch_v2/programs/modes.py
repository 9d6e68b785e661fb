"""no_grad, inference_mode, enable_grad and set_grad_enabled, evaluation with dropout, writing to parameters."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn = torch.nn
    torch.manual_seed(15)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 2))
    slow = [p.detach().clone() for p in net.parameters()]
    opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
    x, y = torch.randn(6, 4), torch.randn(6, 2)
    out = []

    @torch.no_grad()
    def evaluate():
        net.eval()
        value = nn.functional.l1_loss(net(x), y)
        net.train()
        return value.item()

    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            opt.zero_grad()
            with torch.no_grad():
                target = net(x).mul_(0.1) + y
                with torch.enable_grad():
                    inner = net(x).sum()
            with torch.inference_mode():
                best = net(x).sub(y).abs_().amax(dim=0)
            loss = (net(x) - target.detach()).pow(2).sum() + inner * 0.01
            loss.backward()
            opt.step()
            with torch.set_grad_enabled(False):
                torch._foreach_mul_(slow, 0.9)
                torch._foreach_add_(slow, list(net.parameters()), alpha=0.1)
                net[0].bias.clamp_(-1, 1)
                net[3].weight.data.mul_(0.99)
            out.append([loss.item(), evaluate(), best.tolist(), slow[0].sum().item()])
            prof.step()
    return prof, out
