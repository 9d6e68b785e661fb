"""Several parameter groups, a closure, accumulated gradients, clipping of all kinds and a row of schedules."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, sched = torch.nn, torch.optim.lr_scheduler
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(4, 8), nn.ELU(), nn.Linear(8, 2))
    decay = [p for p in net.parameters() if p.dim() > 1]
    rest = [p for p in net.parameters() if p.dim() <= 1]
    opt = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0, "lr": 0.02}], lr=0.01
    )
    plans = [
        sched.StepLR(opt, 2),
        sched.OneCycleLR(opt, max_lr=0.1, total_steps=10),
        sched.LambdaLR(opt, lambda n: 0.9**n),
        sched.SequentialLR(opt, [sched.ConstantLR(opt, 0.5, 2), sched.ExponentialLR(opt, 0.9)], [2]),
    ]
    plateau = sched.ReduceLROnPlateau(opt, patience=0)
    x, y = torch.randn(8, 4), torch.randn(8, 2)
    out = []

    def closure():
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        return loss

    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            first = opt.step(closure)
            for part in range(2):
                (nn.functional.l1_loss(net(x[part * 4 : part * 4 + 4]), y[part * 4 : part * 4 + 4]) / 2).backward()
            norms = [
                nn.utils.clip_grad_norm_(net.parameters(), 0.3, foreach=True),
                nn.utils.clip_grad_norm_(net.parameters(), 0.2, norm_type=float("inf"), foreach=False),
                nn.utils.clip_grad_norm_(net.parameters(), 0.2, norm_type=1),
            ]
            nn.utils.clip_grad_value_(net.parameters(), 0.05, foreach=False)
            opt.step()
            for plan in plans:
                plan.step()
            plateau.step(first)
            out.append([first.item(), *[n.item() for n in norms], *[g["lr"] for g in opt.param_groups]])
            prof.step()
    return prof, out
