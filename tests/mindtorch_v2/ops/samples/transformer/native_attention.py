"""Attention with its projections as one op."""

from .. import S

WEIGHTS = {"w": "f(12, 4)", "b": "f(12)", "p": "f(4, 4)", "c": "f(4)"}
X = {"x": "f(2, 3, 4)", **WEIGHTS}
_CALL = "torch._native_multi_head_attention(x, {}, 4, 2, w, b, p, c{})"

SAMPLES = {
    "_transform_bias_rescale_qkv": [
        S("torch._transform_bias_rescale_qkv(q, b, 2)", q="f(2, 3, 12)", b="f(12)"),
        S("torch._transform_bias_rescale_qkv(q.transpose(0, 1), b, 4)", q="f(2, 3, 12)", b="f(12)"),
        S("torch._transform_bias_rescale_qkv(q.half(), b.half(), 1)", q="f(2, 3, 12)", b="f(12)"),
        S("torch._transform_bias_rescale_qkv(q, b, 3)", q="f(2, 3, 12)", b="f(12)"),
        S("torch._transform_bias_rescale_qkv(q[0], b, 2)", q="f(2, 3, 12)", b="f(12)"),
        S("torch._transform_bias_rescale_qkv(q, b, 2)", q="i(2, 3, 12)", b="i(12)")],
    "_native_multi_head_attention": [
        S(_CALL.format("x, x", ""), **X), S(_CALL.format("x, x", ", need_weights=False") + "[0]", **X),
        S(_CALL.format("x, x", ", average_attn_weights=False"), **X),
        S(_CALL.format("x, x", ", m, mask_type=1"), m="b(2, 3)", **X),
        S(_CALL.format("x, x", ", m, mask_type=2"), m="f(2, 2, 3, 3) > 0.3", **X),
        S(_CALL.format("y, y", ""), y="f(2, 3, 4)", **X),
        S(_CALL.format("y, z", ""), y="f(2, 3, 4)", z="f(2, 3, 4)", **X),
        S(_CALL.format("x[0], x", ""), **X), S(_CALL.format("x, x[0]", ""), **X), S(_CALL.format("x[:1], x", ""), **X),
        S("torch._native_multi_head_attention(x, x, x, 3, 2, w, b, p, c)", **X),
        S("torch._native_multi_head_attention(x[0], x, x, 4, 2, w, b, p, c)", **X),
        S("torch._native_multi_head_attention(x, x, x, 4, 3, w, b, p, c)", **X),
        S("torch._native_multi_head_attention(x, x, x, 4, 2, b, b, p, c)", **X),
        S("torch._native_multi_head_attention(x, x, x, 4, 2, w[:4], b, p, c)", **X),
        S("torch._native_multi_head_attention(x, x, x, 4, 2, w[:, :2], b, p, c)", **X),
        S("torch._native_multi_head_attention(x, x, x, 4, 2, w, w, p, c)", **X),
        S("torch._native_multi_head_attention(x, x, x, 4, 2, w, b[:4], p, c)", **X)],
}
