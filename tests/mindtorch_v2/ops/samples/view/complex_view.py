"""The same bytes as another type."""

from .. import S

SAMPLES = {
    "conj_physical_": [S("(x * 1).conj_physical_()", x="c(3, 2)"), S("(x * 1).conj_physical_()", x="f(3)"),
                       S("(x * 1).t().conj_physical_()", x="c(3, 2)")],
    "view_as_real": [S("torch.view_as_real(x)", x="c(3)"), S("torch.view_as_real(x)", x="f(3)")],
    "view_as_complex": [S("torch.view_as_complex(x)", x="f(3, 2)"), S("torch.view_as_complex(x)", x="f(3)")],
    "real": [S("x.real", x="c(3)"), S("torch.real(x)", x="f(3)")],
    "imag": [S("x.imag", x="c(3)"), S("torch.imag(x)", x="f(3)")],
    "view.dtype": [S("x.view(torch.int32)", x="f(3, 4)"), S("x.view(torch.float64)", x="f(3, 4)"),
                   S("x.view(torch.int16)", x="f(3)"), S("x.view(torch.float64)", x="f(3)")],
}
