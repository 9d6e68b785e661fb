"""The rows that attention and transformers leave: a setup, and the call that is watched."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

from .attention import CALLS, EVAL
from .attention import S as ATTENTION
from .transformer import DECODED, MASKS
from .transformer import S as TRANSFORMER

TRAIN = "sum(t.sum() for t in m({}) if t is not None).backward()"
WHOLE = "m({}).sum().backward()"
NOT = "with torch.no_grad(): m({})"

CASES = {
    **{f"attention {call}": (ATTENTION + "m = nn.MultiheadAttention(8, 2, dropout=0.1)", TRAIN.format(call)) for call in CALLS},
    **{f"attention, batches first {call}": (ATTENTION + "m = nn.MultiheadAttention(8, 4, batch_first=True, add_bias_kv=True, add_zero_attn=True)", TRAIN.format(call)) for call in ("x, x, x", "x, x, x, xp, False")},
    **{f"attention, not trained {call}": (ATTENTION + "m = nn.MultiheadAttention(8, 2, batch_first=True).eval()", NOT.format(call)) for call in EVAL},
    **{f"layer {given}": (TRANSFORMER + "m = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)", WHOLE.format(given)) for given in MASKS},
    **{f"layer, not trained {given}": (TRANSFORMER + "m = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()", NOT.format(given)) for given in MASKS},
    **{f"layer, norm first, gelu, not trained {given}": (TRANSFORMER + "m = nn.TransformerEncoderLayer(8, 2, 16, activation='gelu', norm_first=True, batch_first=True).eval()", NOT.format(given)) for given in MASKS},
    **{f"encoder, not trained {given}": (TRANSFORMER + "m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval()", NOT.format(given)) for given in (*MASKS, "x, None, short")},
    **{f"decoder layer {given}": (TRANSFORMER + "m = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)", WHOLE.format(given)) for given in DECODED},
    "transformer": (TRANSFORMER + "m = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)", "m(x, y, tgt_mask=ty).sum().backward()"),
    "transformer made": ("", "nn.Transformer(8, 2, 1, 1, 16)"),
    "mask": ("", "nn.Transformer.generate_square_subsequent_mask(3)"),
}
