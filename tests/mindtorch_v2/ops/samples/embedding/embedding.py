"""Rows picked by index."""

from .. import S

SAMPLES = {
    "index_select": [S("torch.index_select(x, 0, i_)", x="f(3, 4)", i_="i(2, high=3)"),
                     S("x.index_select(-1, i_)", x="f(3, 4)", i_="i(5, high=4)"),
                     S("torch.index_select(x, 0, i_)", x="f(3, 4)", i_="i(2, 2, high=3)"),
                     S("torch.index_select(x, 0, i_[::2])", x="f(3, 4)", i_="i(4, high=3)")],
    "index_select_backward": [S("torch.ops.aten.index_select_backward(g, (3, 4), 0, i_)", g="f(2, 4)",
                                i_="i(2, high=3)")],
    "embedding": [S("F.embedding(i_, w)", i_="i(2, 4)", w="f(7, 3)"), S("F.embedding(i_, w)", i_="i(4)", w="f(7, 3)"),
                  S("F.embedding(i_, w, padding_idx=2, scale_grad_by_freq=True)", i_="i(2, 4)", w="f(7, 3)"),
                  S("F.embedding(i_, w)", i_="i(4, low=7, high=8)", w="f(7, 3)")],
    "embedding_backward": [S("torch.ops.aten.embedding_backward(g, i_, 7, -1, False, False)", g="f(2, 4, 3)",
                             i_="i(2, 4)")],
    "embedding_dense_backward": [S("torch.ops.aten.embedding_dense_backward(g, i_, 7, 1, False)", g="f(4, 3)",
                                   i_="i(4)")],
    "embedding_renorm_": [S("torch.embedding_renorm_(w.detach(), i_, 2.0, 2.0)", w="f(7, 3) * 3", i_="i(2, 4)"),
                          S("torch.embedding_renorm_(w * 1, i_, 2.0, 2.0)", w="f(7, 3) * 3", i_="i(2, 4)")],
}
