"""Dropout; the recorder and the tests seed the generator alike."""

from .. import S

SAMPLES = {
    "dropout": [S("F.dropout(x, 0.5)", x="f(3, 4)"), S("torch.dropout(x, 0.5, False)", x="f(3, 4)"),
                S("torch.dropout(x, 1.0, True)", x="f(3, 4)"), S("torch.dropout(x, 2.0, True)", x="f(3, 4)")],
    "dropout_": [S("torch.dropout_(x * 1, 0.5, True)", x="f(3, 4)"), S("torch.dropout_(x, 0.5, False)", x="f(3, 4)")],
    "feature_dropout": [S("torch.feature_dropout(x, 0.5, True)", x="f(3, 4, 2)"),
                        S("torch.feature_dropout(x, 0.5, True)", x="f(3)")],
    "feature_dropout_": [S("torch.feature_dropout_(x * 1, 0.5, True)", x="f(3, 4, 2)")],
    "alpha_dropout": [S("torch.alpha_dropout(x, 0.5, True)", x="f(3, 4)")],
    "alpha_dropout_": [S("torch.alpha_dropout_(x * 1, 0.5, True)", x="f(3, 4)")],
    "feature_alpha_dropout": [S("torch.feature_alpha_dropout(x, 0.5, True)", x="f(3, 4, 2)")],
    "feature_alpha_dropout_": [S("torch.feature_alpha_dropout_(x * 1, 0.5, True)", x="f(3, 4, 2)")],
    "native_dropout": [S("torch.native_dropout(x, 0.5, True)", x="f(3, 4)"),
                       S("torch.native_dropout(x, 0.5, False)", x="f(3, 4)")],
    "native_dropout_backward": [S("torch.ops.aten.native_dropout_backward(g, m, 2.0)", g="f(3, 4)", m="b(3, 4)")],
}
