"""Complex numbers: products with the conjugate, absolute values and parts, and their gradients."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    torch.manual_seed(29)
    w = torch.randn(4, 2, requires_grad=True)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            wave = torch.view_as_complex(w)
            power = torch.view_as_real(wave * wave.conj()).sum() + wave.abs().sum()
            loss = power + wave.real.sum() - wave.imag.square().sum()
            loss.backward()
            with torch.no_grad():
                w -= 0.01 * w.grad
            w.grad = None
            out.append(loss.item())
            prof.step()
    return prof, out
