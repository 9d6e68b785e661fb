"""Hooks on tensors, gradients and modules, retain_grad, and a deep copy of the model as a teacher."""

from __future__ import annotations

import copy


def run(torch, prof_kwargs, steps=4):
    nn = torch.nn
    torch.manual_seed(13)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
    seen = []
    net[0].register_forward_pre_hook(lambda m, args: (args[0] * 1.5,))
    net[1].register_forward_hook(lambda m, args, output: output + 0.1)
    net[2].register_full_backward_hook(lambda m, gi, go: (gi[0] * 0.5,))
    net[0].register_full_backward_pre_hook(lambda m, go: (go[0].clamp(-1, 1),))
    net[2].weight.register_hook(lambda g: g + 0.01)
    net[2].bias.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.sum().item()))
    opt = torch.optim.Adamax(net.parameters(), lr=1e-2)
    x = torch.randn(5, 4)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            teacher = copy.deepcopy(net).requires_grad_(False).eval()
            opt.zero_grad()
            h = net[1](net[0](x))
            h.retain_grad()
            handle = h.register_hook(lambda g: g * 2)
            z = net[2](h)
            loss = (
                nn.functional.kl_div(z.log_softmax(1), teacher(x + 0.1).softmax(1), reduction="batchmean")
                + z.square().mean()
            )
            loss.backward()
            handle.remove()
            opt.step()
            out.append([loss.item(), h.grad.norm().item(), seen[-1]])
            prof.step()
    return prof, out
