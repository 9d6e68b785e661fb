"""scaled_dot_product_attention with every kind of mask, dropout, scale and grouped heads."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    F = torch.nn.functional
    torch.manual_seed(10)
    q, k, v = (torch.randn(2, 4, 5, 8, requires_grad=True) for _ in range(3))
    few = [torch.randn(2, 2, 5, 8, requires_grad=True) for _ in range(2)]
    flat = torch.randn(3, 5, 8, requires_grad=True)
    float_mask, bool_mask = torch.randn(5, 5), torch.ones(5, 5, dtype=torch.bool).tril()
    learned = torch.randn(1, 4, 5, 5, requires_grad=True)
    leaves = [q, k, v, *few, flat, learned]
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            sdpa = F.scaled_dot_product_attention
            parts = [
                sdpa(q, k, v),
                sdpa(q, k, v, is_causal=True),
                sdpa(q, k, v, attn_mask=float_mask),
                sdpa(q, k, v, attn_mask=bool_mask),
                sdpa(q, k, v, attn_mask=learned, scale=0.5),
                sdpa(q, k, v, dropout_p=0.2),
                sdpa(q, *few, enable_gqa=True),
                sdpa(q, *few, enable_gqa=True, is_causal=True),
            ]
            loss = sum(p.square().mean() for p in parts) + sdpa(flat, flat, flat, is_causal=True).sum()
            half = sdpa(*(t.detach().bfloat16().requires_grad_() for t in (q, k, v))).sum()
            half.backward()
            with torch.no_grad():
                shown = sdpa(q, k, v, is_causal=True).sum() + sdpa(q, k, v, attn_mask=bool_mask).mean()
            loss.backward()
            with torch.no_grad():
                for t in leaves:
                    t.add_(t.grad, alpha=-0.1)
                    t.grad = None
            out.append([loss.item(), shown.item()])
            prof.step()
    return prof, out
