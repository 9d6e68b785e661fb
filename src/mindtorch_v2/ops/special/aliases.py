"""torch.special's names of functions that torch has under other names: a row around the first one's."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...opdef.form import Op, declare

# torch.special's sentence without its prefix, and the op that it calls
UNARY = {"digamma": "digamma", "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "exp2": "exp2", "expit": "sigmoid",
         "expm1": "expm1", "gammaln": "lgamma", "i0": "i0", "log1p": "log1p", "psi": "digamma", "sinc": "sinc"}
OTHERS = {
    "gammainc(Tensor self, Tensor other)": "igamma",
    "gammaincc(Tensor self, Tensor other)": "igammac",
    "logit(Tensor self, float? eps=None)": "logit",
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False)": "logsumexp",
    "multigammaln(Tensor self, int p)": "mvlgamma",
    "polygamma(int n, Tensor self)": "polygamma",
    "xlogy(Tensor self, Tensor other)": "xlogy",
    "xlogy.other_scalar(Tensor self, Scalar other)": "xlogy",
    "xlogy.self_scalar(Scalar self, Tensor other)": "xlogy",
}


def _declare(sentence: str, of: str) -> None:
    count = sentence.count(",") + 1

    def body(*args):
        inner = getattr(aten, of)
        return inner(*args) if len(args) == count else inner(*args[:count], out=args[count])

    declare(f"special_{sentence} -> Tensor", f"The same as {of}.", body=body, variants="out")


for _name, _of in UNARY.items():
    _declare(f"{_name}(Tensor self)", _of)
for _sentence, _of in OTHERS.items():
    _declare(_sentence, _of)


class SpecialRound(Op):
    """The same as round."""

    schema = "special_round(Tensor self, *, int decimals=0) -> Tensor"
    variants = "out"

    def body(self, decimals, out=None):
        return aten.round(self, decimals=decimals) if out is None else aten.round(self, decimals=decimals, out=out)


class SpecialSoftmax(Op):
    """The same as softmax."""

    schema = "special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"

    def body(self, dim, dtype):
        return aten.softmax(self, dim, dtype)


class SpecialLogSoftmax(Op):
    """The same as log_softmax."""

    schema = "special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"

    def body(self, dim, dtype):
        return aten.log_softmax(self, dim, dtype)
