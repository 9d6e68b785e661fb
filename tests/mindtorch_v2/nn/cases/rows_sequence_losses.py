"""The rows that losses of sequences and of margins between classes leave in a profile."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

from .sequence_losses import C, X

CASES = {
    **{f"F.ctc_loss(x, {call})": (X, f"F.ctc_loss(x, {call}).sum().backward()") for call in ("t, n, m", "t, (6, 5), (3, 2), reduction='none'", "t.int(), n, m, reduction='sum', zero_infinity=True")},
    **{f"F.multi_margin_loss(x, {call})": (C, f"F.multi_margin_loss(x, {call}).sum().backward()") for call in ("t", "t, weight=w, p=2", "t, reduction='none'")},
    **{f"F.multilabel_margin_loss(x, {call})": (C, f"F.multilabel_margin_loss(x, {call}).sum().backward()") for call in ("m", "m, reduction='none'")},
}
