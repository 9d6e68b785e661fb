"""The way back from bags of rows."""

from .. import S

X = {"g": "f(3, 4)", "i_": "i(6)", "o": "torch.tensor([0, 2, 3])", "of": "torch.tensor([0, 0, 1, 2, 2, 2])",
     "n": "torch.tensor([2, 1, 3])"}
M = {**X, "m": "i(3, 4)", "n": "torch.tensor([2, 0, 3])"}
W = {**X, "w": "f(7, 4)"}
A = "torch.ops.aten"

SAMPLES = {
    "_embedding_bag_backward": [
        *[S(f"{A}._embedding_bag_backward(g, i_, o, of, n, n, 7, {freq}, {mode}, False, None, {pad})", **X)
          for freq in (False, True) for mode in (0, 1) for pad in (-1, 2)],
        S(f"{A}._embedding_bag_backward(g, i_, o, of, n, m, 7, False, 2, False, None)", **M),
        S(f"{A}._embedding_bag_backward(g, i_, o, of[:0], n, n, 7, False, 0, False, p)", **X, p="f(6)"),
        S(f"{A}._embedding_bag_backward(g, i_, o.int(), of, n, n, 7, False, 1, False, None)", **X),
        S(f"{A}._embedding_bag_backward(g, i_, o, of, n, n, 7, True, 0, True, None)", **X),
        S(f"{A}._embedding_bag_backward(g, i_.float(), o, of, n, n, 7, True, 0, False, None)", **X),
        S(f"{A}._embedding_bag_backward(g, torch.cat([i_, i_])[::2], o, of, n, n, 7, True, 0, False, None)", **X),
        S(f"{A}._embedding_bag_backward(g, i_, torch.cat([o * 0, o])[::2], of, n, n, 7, True, 0, False, None)", **X)],
    "_embedding_bag_dense_backward": [
        *[S(f"{A}._embedding_bag_dense_backward(g{kind}, i_, of, n, n, 7, True, {mode}, None)", **X)
          for kind in ("", ".half()", ".double()") for mode in (0, 1)],
        S(f"{A}._embedding_bag_dense_backward(g.mT.contiguous().mT, i_, of, n, n, 7, False, 1, None, 3)", **X),
        S(f"{A}._embedding_bag_dense_backward(g, i_, of, n, m, 7, False, 2, None)", **M),
        S(f"{A}._embedding_bag_dense_backward(g, i_, of, n, n, 7, False, 0, p, 3)", **X, p="f(6)"),
        S(f"{A}._embedding_bag_dense_backward(g, i_.float(), of, n, n, 7, False, 0, None)", **X),
        S(f"{A}._embedding_bag_dense_backward(g, i_.int(), of, n, n, 7, False, 0, None)", **X),
        S(f"{A}._embedding_bag_dense_backward(g.long(), i_, of, n, n, 7, False, 0, None)", **X)],
    "_embedding_bag_per_sample_weights_backward": [
        S(f"{A}._embedding_bag_per_sample_weights_backward(g, w, i_, o, of, 0)", **W),
        S(f"{A}._embedding_bag_per_sample_weights_backward(g.half(), w.half(), i_, o, of, 0, 3)", **W),
        S(f"{A}._embedding_bag_per_sample_weights_backward(g, w, i_, o, of[:0], 0, 3)", **W),
        S(f"{A}._embedding_bag_per_sample_weights_backward(g, w, i_, o, of, 1)", **W),
        S(f"{A}._embedding_bag_per_sample_weights_backward(g, w.double(), i_, o, of, 0)", **W)],
}
