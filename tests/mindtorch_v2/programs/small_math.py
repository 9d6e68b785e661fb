"""Pointwise mathematics and reductions with gradients, numbers on either side, and in-place forms."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(26)
    w = torch.rand(3, 4).add(0.5).requires_grad_()
    s = torch.tensor(0.7, requires_grad=True)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            terms = [
                w.exp(),
                w.log(),
                w.sqrt(),
                w.rsqrt(),
                w.sin(),
                w.cos(),
                w.tan(),
                w.tanh(),
                w.sigmoid(),
                w.abs(),
                w.neg(),
                w.reciprocal(),
                w.square(),
                w.erf(),
                w.expm1(),
                w.log1p(),
                w.log2(),
                w.atan(),
                w.sinh(),
                w.floor(),
                w.round(),
                w.sign(),
                w.frac(),
                w.trunc(),
                1 - w,
                2 / w,
                w / 3,
                w * s,
                w + 1,
                3 - s,
                w**2,
                w**0.5,
                w**s,
                2**w,
                w % 1,
                w.detach() // 0.3,
                -w,
                torch.pow(w, 3),
                torch.atan2(w, s),
                torch.lerp(w, w * 2, 0.3),
                torch.lerp(w, w * 2, s),
                torch.addcmul(w, w, w, value=0.5),
                torch.addcdiv(w, w, w + 1),
                torch.fmod(w, 0.4),
                torch.minimum(w, s),
                torch.xlogy(w, w),
                w.rad2deg(),
                torch.rsub(w, 2),
                torch.true_divide(w, 2),
                w.nan_to_num(),
            ]
            sums = [
                w.sum(),
                w.sum(0),
                w.sum((0, 1), keepdim=True),
                w.mean(),
                w.mean(1),
                w.prod(),
                w.prod(0),
                w.sum(dtype=torch.float64),
                w.nansum(),
                w.var(0),
                w.std(),
                w.norm(dim=0),
                w.logsumexp(0),
                w.count_nonzero(),
                w.all(),
                w.aminmax().max,
            ]
            loss = sum(t.mean() for t in terms) * 0.1 + sum(t.float().sum() for t in sums) * 0.1
            loss.backward()
            with torch.no_grad():
                w.sub_(w.grad * 1e-3).clamp_(0.1, 3)
                s.add_(s.grad, alpha=-1e-3)
                t = (
                    w.clone()
                    .exp_()
                    .log_()
                    .sqrt_()
                    .mul_(2)
                    .add_(1)
                    .div_(3)
                    .pow_(2)
                    .neg_()
                    .abs_()
                    .reciprocal_()
                    .sigmoid_()
                )
            w.grad = s.grad = None
            out.append([loss.item(), t.sum().item()])
            prof.step()
    return prof, out
