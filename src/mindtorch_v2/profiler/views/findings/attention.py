"""Attention that is written out: a product, a softmax, a product, where one op would do."""

from __future__ import annotations

import numpy as np

from ..digest import Digest
from .finding import WORTH_A_WORD, WRITTEN_BY_US, Finding, counted, evidence_of, share_text, texts, time_text

PRODUCTS = ("aten::matmul", "aten::bmm", "aten::baddbmm", "aten::einsum")
SOFTMAX = "aten::softmax"
# What stands between the first product and the softmax (scaling, masks), and between the softmax and the second one.
BETWEEN = tuple(f"aten::{name}" for name in (
    "div", "div_", "mul", "mul_", "add", "add_", "sub", "masked_fill", "masked_fill_", "where", "slice", "unsqueeze",
    "expand", "to", "float", "dropout", "view", "reshape", "transpose", "contiguous", "nan_to_num", "eq", "lt",
    "logical_not", "tril", "triu", "ones", "detach", "type_as"))
MOST_BETWEEN = 8


def attention_written_out(digest: Digest):
    """softmax(q @ k.T) @ v in ops of its own."""
    table, kinds = digest.table, digest.kinds
    patterns, time_ns = [], 0
    for thread in np.unique(table["thread"]).tolist():
        rows = np.flatnonzero(kinds.is_outermost & kinds.is_op & ~kinds.is_backward & (table["thread"] == thread))
        rows = rows[np.argsort(table["start_ns"][rows], kind="stable")]
        is_product, is_between = kinds.called(*PRODUCTS)[rows], kinds.called(*BETWEEN)[rows]
        for at in np.flatnonzero(kinds.called(SOFTMAX)[rows]).tolist():
            first, last = (_product(is_product, is_between, at, step) for step in (-1, 1))
            if first is not None and last is not None:
                patterns.append(int(rows[at]))
                time_ns += int(table["end_ns"][rows[last]] - table["start_ns"][rows[first]])
    softmaxes = np.array(patterns, np.int64)
    softmaxes = softmaxes[~digest.is_in_module(WRITTEN_BY_US, softmaxes)]
    if not len(softmaxes) or time_ns < WORTH_A_WORD * digest.wall_ns:
        return
    places, events = evidence_of(digest, softmaxes)
    yield Finding("attention written out", "Attention is computed by a product, a softmax and a product",
                  texts(f"{counted(len(softmaxes), 'time')}, {time_text(time_ns)} going forward "
                        f"({share_text(time_ns, digest.wall_ns)})", places),
                  "Use torch.nn.functional.scaled_dot_product_attention(q, k, v): one op, which scales, masks "
                  "(attn_mask, is_causal) and drops, and need not keep the weights of all pairs for its backward pass.",
                  time_ns, events)


def _product(is_product: np.ndarray, is_between: np.ndarray, at: int, step: int) -> int | None:
    """The place of the nearest product before or behind a softmax, if only what belongs to attention is between."""
    for place in range(at + step, at + step * (MOST_BETWEEN + 2), step):
        if not 0 <= place < len(is_product):
            return None
        if is_product[place]:
            return place
        if not is_between[place]:
            return None
    return None
