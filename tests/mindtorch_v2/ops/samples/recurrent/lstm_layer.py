"""A layer of an LSTM as one op."""

from .. import S

ALL = {"x": "f(3, 2, 3)", "w": "f(16, 3)", "u": "f(16, 4)", "p": "f(16)", "q": "f(16)", "h": "f(2, 4)", "c": "f(2, 4)"}

SAMPLES = {"mkldnn_rnn_layer": [
    S(f"torch.mkldnn_rnn_layer(x, w, u, p, q, h, c, {reverse}, [], 2, 4, 1, True, False, False, True)[:3]", **ALL)
    for reverse in (False, True)]}
