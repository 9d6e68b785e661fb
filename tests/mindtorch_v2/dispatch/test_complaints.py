"""What torch says, and in which order it looks, where arguments do not fit the one signature that is listed."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

X = torch.ones(2, 3)
CALLS = {
    "a method without parameters takes no arguments":
        (lambda: X.tan(1), "TensorBase.tan() takes no arguments (1 given)"),
    "however many are given": (lambda: X.ravel(1, 2), "TensorBase.ravel() takes no arguments (2 given)"),
    "nor keywords": (lambda: X.abs(bogus=1), "TensorBase.abs() takes no keyword arguments"),
    "keywords are looked at first": (lambda: X.abs(1, bogus=1), "TensorBase.abs() takes no keyword arguments"),
    "what is missing comes before what is unknown":
        (lambda: X.mm(bogus=1), 'mm() missing 1 required positional arguments: "mat2"'),
    "several that are missing":
        (lambda: X.as_strided_scatter(bogus=1),
         'as_strided_scatter() missing 3 required positional argument: "src", "size", "stride"'),
    "a wrong type comes before what is missing after it":
        (lambda: torch.addmm(X, "a", beta=1), "addmm(): argument 'mat1' (position 2) must be Tensor, not str"),
    "a wrong keyword comes before an unknown one":
        (lambda: X.mm(mat2=3, bogus=1), "mm(): argument 'mat2' must be Tensor, not int"),
    "what is unknown comes last": (lambda: X.mm(X, bogus=1), "mm() got an unexpected keyword argument 'bogus'"),
    "too few for a function with a hidden form":
        (lambda: X.add(), "add() received an invalid combination of arguments - got (), but expected "
                          "(Tensor other, *, Number alpha = 1)"),
    "too many for one":
        (lambda: X.addr_(1, 2, 3, 4, 5, 6),
         "addr_() received an invalid combination of arguments - got (int, int, int, int, int, int), but expected "
         "(Tensor vec1, Tensor vec2, *, Number beta = 1, Number alpha = 1)"),
    "keywords that one does not have":
        (lambda: X.addcdiv(bogus=1), "addcdiv() received an invalid combination of arguments - got unrecognized "
                                     "keyword arguments: bogus"),
    "the same twice": (lambda: X.mm(X, mat2=X), "mm() got multiple values for argument 'mat2'"),
}


@pytest.mark.parametrize(("call", "said"), CALLS.values(), ids=CALLS)
def test_arguments_that_do_not_fit_are_told_as_torch_tells_them(call, said):
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value) == said
