"""Functions of linear algebra whose arguments torch sorts out in Python, and those that it has removed."""

from __future__ import annotations

from ..core.tensor import Tensor, add_attribute
from ..dispatch.aten import aten
from .function_arguments import only_tensors
from .install import FUNCTIONS

GONE = "This function was deprecated since version 1.9 and is now removed."
# What torch says of each of them.
REMOVED = {
    "symeig": f"""{GONE} The default behavior has changed from using the upper triangular portion of the matrix by \
default to using the lower triangular portion.

L, _ = torch.symeig(A, upper=upper) should be replaced with:
L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')

and

L, V = torch.symeig(A, eigenvectors=True) should be replaced with:
L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')""",
    "lstsq": f"""{GONE} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.
`torch.linalg.lstsq` has reversed arguments and does not return the QR decomposition in the returned tuple (although \
it returns other information about the problem).

To get the QR decomposition consider using `torch.linalg.qr`.

The returned solution in `torch.lstsq` stored the residuals of the solution in the last m - n columns of the returned \
value whenever m > n. In torch.linalg.lstsq, the residuals are in the field 'residuals' of the returned named tuple.

The unpacking of the solution, as in
X, _ = torch.lstsq(B, A).solution[:A.size(1)]
should be replaced with:
X = torch.linalg.lstsq(A, B).solution""",
    "eig": f"""{GONE} `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real \
tensors mimicking complex tensors.

L, _ = torch.eig(A) should be replaced with:
L_complex = torch.linalg.eigvals(A)

and

L, V = torch.eig(A, eigenvectors=True) should be replaced with:
L_complex, V_complex = torch.linalg.eig(A)""",
    "solve": f"""{GONE} `torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its \
arguments reversed and does not return the LU factorization.

To get the LU factorization see `torch.lu`, which can be used with `torch.lu_solve` or `torch.lu_unpack`.
X = torch.solve(B, A).solution should be replaced with:
X = torch.linalg.solve(A, B)""",
    "matrix_rank": f"""{GONE}
Please use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was renamed in \
`torch.linalg.matrix_rank()` to 'hermitian'.""",
}


def _removed(name: str, words: str):
    def removed(*args, **kwargs):
        raise RuntimeError(words)
    removed.__name__ = removed.__qualname__ = name
    removed.__doc__ = f"Raise what torch says of {name}(), which is no more."
    return removed


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out=None):  # noqa: N803  torch's name
    """The LU decomposition packed into one matrix, the rows that were exchanged, and LAPACK's codes if asked for."""
    results = tuple(aten._lu_with_info(A, pivot, not get_infos))
    if out is not None:
        for given, result in zip(out, results):
            aten.copy_(aten.resize_as_(given, result), result)
        results = tuple(out)
    return results if get_infos else results[:2]


def _lu_method(self, pivot: bool = True, get_infos: bool = False):
    return lu(self, pivot, get_infos)


def block_diag(*tensors: Tensor) -> Tensor:
    """Matrices along the diagonal of one that is zero elsewhere."""
    return aten.block_diag(only_tensors(tensors, 0))


_FUNCTIONS = {name: _removed(name, words) for name, words in REMOVED.items()}
FUNCTIONS.update(lu=lu, block_diag=block_diag, **_FUNCTIONS)
add_attribute("lu", _lu_method)
for name, function in _FUNCTIONS.items():
    if name != "matrix_rank":
        add_attribute(name, function)
