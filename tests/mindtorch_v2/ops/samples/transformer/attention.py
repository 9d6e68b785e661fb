"""Scaled dot product attention, fused and written in ops."""

from .. import S

HEADS = {"q": "f(2, 3, 4, 8)", "k": "f(2, 3, 5, 8)", "v": "f(2, 3, 5, 8)"}
FLAT = {"q": "f(3, 4, 8)", "k": "f(3, 5, 8)", "v": "f(3, 5, 8)"}
_FLASH = "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu"

SAMPLES = {
    "scaled_dot_product_attention": [
        S("F.scaled_dot_product_attention(q, k, v)", **HEADS),
        S("F.scaled_dot_product_attention(q, q, q, is_causal=True)", q="f(2, 3, 4, 8)"),
        S("F.scaled_dot_product_attention(q, k, v, m)", m="b(4, 5)", **HEADS),
        S("F.scaled_dot_product_attention(q, k, v, m.detach(), scale=0.3)", m="f(4, 5)", **HEADS),
        S("F.scaled_dot_product_attention(q, k, v, m, scale=0.3)", m="f(4, 5)", **HEADS),
        S("F.scaled_dot_product_attention(q, k, v, dropout_p=0.5)", **HEADS),
        S("F.scaled_dot_product_attention(q, k, v, enable_gqa=True)", q="f(2, 6, 4, 8)", k="f(2, 3, 5, 8)",
          v="f(2, 3, 5, 8)"),
        S("F.scaled_dot_product_attention(q, k, v, is_causal=True)", **FLAT),
        S("F.scaled_dot_product_attention(q, k, v)", q="f(8)", k="f(5, 8)", v="f(5, 8)")],
    "_scaled_dot_product_attention_math": [S("torch._scaled_dot_product_attention_math(q, k, v)[0]", **FLAT)],
    "_scaled_dot_product_flash_attention_for_cpu": [S(_FLASH + "(q, k, v)", **HEADS)],
    "_scaled_dot_product_flash_attention_for_cpu_backward": [
        S(_FLASH + "_backward(g, q, k, v, o, s, 0.0, False)[0]", g="f(2, 3, 4, 8)", o="f(2, 3, 4, 8)",
          s="f(2, 3, 4) + 9", **HEADS)],
}
