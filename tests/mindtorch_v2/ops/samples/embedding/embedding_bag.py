"""Bags of a table's rows."""

from .. import S

X = {"w": "f(7, 3)", "i_": "i(6)"}
P = {**X, "p": "f(6).detach()"}
A = "torch.ops.aten"
O3, O4 = "torch.tensor([0, 2, 3])", "torch.tensor([0, 2, 2, 6])"
REFUSED = ("w, i_.float(), o", "w, i_, o.float()", "w.long(), i_, o", "w.to(torch.complex64), i_, o",
           "w, i_.view(6, 1, 1), o", "w, i_, o.view(3, 1)", "w[0], i_, o", "w, i_, o, False, 3",
           "w, i_, o, False, 1, False, w.detach()[:2].reshape(6)", "w, i_, o, False, 0, False, w.detach()[0]",
           "w, i_, o, False, 0, False, w.detach()[:2].reshape(6, 1)", "w, i_, o + 1", "w, i_, o + i_.numel()",
           "w, i_, o, False, 0, False, w.detach()[:2].reshape(6).double()", "w[:2], i_, o",
           "w, i_, o[:0], False, 0, False, None, True", "w[:2], i_, o, False, 2", "w[:2].double(), i_, o")


def _bags(op: str, w: str) -> list:
    """Every mode on every kind of table."""
    return [
        *[S(f"{A}.{op}({w}{kind}, i_, {O3}, False, {mode})", **X)
          for kind in ("", ".double()", ".half()", ".mT.contiguous().mT") for mode in (0, 1, 2)],
        *[S(f"{A}.{op}({w}, i_, {O4}, False, {mode}, False, None, {last}, {pad})", **X)
          for mode in (0, 1, 2) for last in (False, True) for pad in (-1, 2)],
        S(f"{A}.{op}({w}, i_, {O3}, False, 0, False, p.detach())", **P),
        S(f"{A}.{op}({w}, i_, {O3}, False, 0, False, p.detach(), False, 2)", **P),
        S(f"{A}.{op}({w}.half(), i_, {O3}, False, 0, False, p.detach().half())", **P),
        S(f"{A}.{op}({w}, i_.int(), {O3})", **X), S(f"{A}.{op}({w}, i_.int(), {O3}.int(), False, 1)", **X),
        S(f"{A}.{op}({w}, i_[:0], {O3} * 0, False, 2)", **X),
        S(f"{A}.{op}({w}, i_[:0], {O3}[:1], False, 1, False, None, True)", **X),
    ]


SAMPLES = {
    "embedding_bag": [S(f"torch.embedding_bag(w, i_, {O3})", **X),
                      S(f"torch.embedding_bag(w, i_, {O3}, True, 1)", **X)],
    "embedding_bag.padding_idx": [
        S(f"F.embedding_bag(i_, w, {O3})", **X), S("F.embedding_bag(i_, w, mode='sum')", w="f(7, 3)", i_="i(2, 4)"),
        S(f"F.embedding_bag(i_, w, {O3}, mode='max', padding_idx=-3)", **X),
        S(f"F.embedding_bag(i_, w, {O3}, max_norm=2.0, scale_grad_by_freq=True)", w="f(7, 3)", i_="i(12)[::2]"),
        S("F.embedding_bag(i_, w, mode='sum', per_sample_weights=p.detach())", w="f(7, 3)", i_="i(2, 4)", p="f(2, 4)"),
        S(f"F.embedding_bag(i_, w, {O3}, padding_idx=7)", **X)],
    "_embedding_bag": [*_bags("_embedding_bag", "w"),
                       *[S(f"{A}._embedding_bag({call})", w="f(7, 3)", i_="i(6)", o=O3) for call in REFUSED]],
    "_embedding_bag_forward_only": _bags("_embedding_bag_forward_only", "w.detach()"),
}
