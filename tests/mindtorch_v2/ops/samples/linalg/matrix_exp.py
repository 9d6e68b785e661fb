"""The exponential of matrices; larger ones, of which we show fewer rows, are in test_matrix_functions.py."""

from .. import S

SAMPLES = {
    "linalg_matrix_exp": [S("torch.linalg.matrix_exp(x)", x=x) for x in (
        "f(1, 1)", "f(2, 1, 1)", "c(1, 1)", "f(0, 0)", "f(3)", "f(3, 4)", "i(3, 3)")],
    "matrix_exp": [S("torch.matrix_exp(x)", x="f(1, 1)"), S("x.matrix_exp()", x="d(1, 1)")],
}
