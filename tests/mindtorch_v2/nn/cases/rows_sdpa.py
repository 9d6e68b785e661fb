"""The rows that scaled dot product attention leaves: a setup, and the call that is watched."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

from .sdpa import S

GIVEN = ("q, k, v", "q, k, v, is_causal=True", "q, k, v, mb", "q, k, v, mf", "q, k, v, mg", "q, k, v, m41", "q, k, v, m3", "q, k, v, None, 0.5", "q, k, v, scale=0.3", "q, k2, v2, enable_gqa=True", "q, k2, v2, mf, enable_gqa=True", "q, k, v6", "q3, k3, v3", "q3, k3, v3, mb",
         "q3, k3, v3, is_causal=True", "q2, k1, v1, mf", "q3, k3, v3, enable_gqa=True", "q, k2, v2, None, 0.2, enable_gqa=True", "q[..., ::2], k[..., ::2], v[..., ::2]", "q[:, :, :0], k, v", "q.double(), k.double(), v.double()", "q.half(), k.half(), v.half()",
         "q.bfloat16(), k.bfloat16(), v.bfloat16(), mb, 0.1", "q, k, v, I.causal_lower_right(3, 5)", "q, k, v, I.causal_upper_left(3, 5)")

CASES = {
    **{given: (S, f"F.scaled_dot_product_attention({given}).sum().backward()") for given in GIVEN},
    **{f"not trained {given}": (S, f"with torch.no_grad(): F.scaled_dot_product_attention({given})") for given in GIVEN},
    "math alone": (S, "with A.sdpa_kernel(B.MATH): F.scaled_dot_product_attention(q, k, v)"),
    "a bias is made": (S, "I.causal_lower_right(3, 5)._materialize()"),
}
