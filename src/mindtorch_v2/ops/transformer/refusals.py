"""Why the fused attention cannot be taken, told where the user allows no other way."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import dtype as dtypes
from ...core.tensor import shape_of, strides_of
from ...core.user_warning import warn_user

NONE_ALLOWED = ("No viable backend for scaled_dot_product_attention was found. This is likely due to turning off both "
                "the math kernel and the fused kernels.")


def refuse(query, key, value, attn_mask, dropout_p: float, enable_gqa: bool, is_flash_allowed: bool) -> None:
    """Complain that no way is left, and say why."""
    if not is_flash_allowed:
        raise RuntimeError(NONE_ALLOWED)
    warn_user("Flash attention kernel not used because:", each_time=True)
    reason = next(_reasons(query, key, value, attn_mask, dropout_p, enable_gqa), "")
    if reason:
        warn_user(reason, each_time=True)
    raise RuntimeError("No available kernel.  Aborting execution.")


def _reasons(query, key, value, attn_mask, dropout_p: float, enable_gqa: bool) -> Iterator[str]:
    """In torch's order and words; nothing for masks that learn or do not fit, of which it does not tell."""
    q, k, v = [list(shape_of(t)) for t in (query, key, value)]
    if query.dtype.category != dtypes.FLOATING:
        names = [dtypes.C_NAMES[t.dtype.name] for t in (query, key, value)]
        yield (f"Expected query, key and value to all be of dtype: {{Float, Double, BFloat16, Half}}. Got Query dtype: "
               f"{names[0]}, Key dtype: {names[1]}, and Value dtype: {names[2]} instead.")
    if not len(q) == len(k) == len(v) == 4:
        yield (f"All fused kernels requires query, key and value to be 4 dimensional, but got Query dim: {len(q)}, "
               f"Key dim: {len(k)}, Value dim: {len(v)} instead.")
        return
    if not q[0] == k[0] == v[0]:
        yield (f"For dense inputs, both fused kernels require query, key and value to have the same batch_size. "
               f"Query.sizes(): {q}, Key.sizes(): {k}, Value.sizes(): {v} instead. To broadcast dense inputs, try "
               "using unsqueeze and expand_to before passing them into the kernel.")
    yield from _reasons_of_heads(q, k, v, enable_gqa)
    if attn_mask is not None and len(shape_of(attn_mask)) not in (2, 4):
        yield ("Please use the following attn mask shapes: 2d - ({Q_seq_len, 1}  x {KV_seq_len, 1}); 4d - ({Batch, 1} "
               "x {Num_heads, 1} x {Q_seq_len, 1}  x {KV_seq_len, 1})")
    if not q[3] == k[3] == v[3]:
        yield (f"Flash attention requires q,k,v to have the same last dimension. Got Query.size(-1): {q[3]}, "
               f"Key.size(-1): {k[3]}, Value.size(-1): {v[3]} instead.")
    if dropout_p > 0:
        yield "Both fused kernels do not support non-zero dropout."
    steps = [strides_of(t)[-1] for t in (query, key, value)]
    if steps != [1, 1, 1]:
        yield ("All fused kernels require the last dimension of the input to have stride 1. Got Query.stride(-1): "
               f"{steps[0]}, Key.stride(-1): {steps[1]}, Value.stride(-1): {steps[2]}")


def _reasons_of_heads(q: list[int], k: list[int], v: list[int], enable_gqa: bool) -> Iterator[str]:
    if not enable_gqa and not q[1] == k[1] == v[1]:
        yield (f"For dense input, both fused kernels require query, key and value to have the same num_heads. "
               f"Query.sizes(): {q}, Key sizes(): {k}, Value sizes(): {v} instead. To broadcast dense inputs, try "
               "using unsqueeze and expand_to before passing them into the kernel.")
    if k[1] != v[1]:
        yield (f"Both fused kernels require key and value to have the same num_heads and batch_size but got: Key "
               f"sizes: {k}, Value sizes: {v}, Query sizes: {q} instead.")
    if not k[1] or q[1] % k[1]:
        yield (f"The number of heads in key/value must divide number of heads in query.Got input Key sizes(): {k[1]}, "
               f"Value sizes(): {v[1]}, Query sizes(): {q[1]} instead.")
