"""Products and reductions whose arguments torch sorts out in Python before any op runs."""

from __future__ import annotations

from ..core.overrides import asked, hand_over
from ..core.sparse import is_coo
from ..core.tensor import Tensor, add_attribute
from ..dispatch.aten import aten
from ..ops.linalg.einsum import LETTERS
from ..ops.shared.layout import into
from .function_arguments import only_tensors
from .install import FUNCTIONS

NO_OPERANDS = ("einsum(): must specify the equation string and at least one operand, or at least one operand and its "
               "subscripts list")


def einsum(*args) -> Tensor:
    """Sums of products over labelled dimensions; labels as a string, or as a list of numbers after each operand."""
    if len(args) < 2:
        raise ValueError(NO_OPERANDS)
    equation, operands = args[0], args[1:]
    if isinstance(equation, Tensor):
        parts = ["".join(_letter(n) for n in labels) for labels in args[1::2]]
        equation = ",".join(parts) + ("->" + "".join(_letter(n) for n in args[-1]) if len(args) % 2 else "")
        operands = args[:len(args) - len(args) % 2:2]
    is_listed = len(operands) == 1 and isinstance(operands[0], (list, tuple))
    if asked() if is_listed else asked(*operands):
        return hand_over(einsum, operands, (equation, *operands), {})
    if is_listed:
        return einsum(equation, *operands[0])
    return aten.einsum(equation, only_tensors(operands, 1))


def _letter(number) -> str:
    if number is Ellipsis:
        return "..."
    if 0 <= number < len(LETTERS):
        return LETTERS[number]
    raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")


def tensordot(a: Tensor, b: Tensor, dims=2, out: Tensor | None = None) -> Tensor:
    """Sums of products over the last dims of one and the first of the other, or over two lists of dims."""
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.numel() > 1 else int(dims.item())
    if isinstance(dims, (list, tuple)):
        first, second = dims
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        first, second = range(-dims, 0), range(dims)
    return aten.tensordot(a, b, _ints(first), _ints(second), **into(out))


def _ints(dims) -> tuple[int, ...]:
    return (dims,) if isinstance(dims, int) else tuple(int(d) for d in dims)


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order that costs least."""
    return aten.chain_matmul(only_tensors(matrices, 0), **into(out))


_PRODUCT_MODES = {"use_mm_for_euclid_dist_if_necessary": 0, "use_mm_for_euclid_dist": 1,
                  "donot_use_mm_for_euclid_dist": 2}


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0,
          compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """Distances of every vector of one set to every vector of another."""
    if compute_mode not in _PRODUCT_MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return aten.cdist(x1, x2, p, _PRODUCT_MODES[compute_mode] or None)


def norm(input: Tensor, p: float | str | None = "fro", dim=None, keepdim: bool = False, out: Tensor | None = None,
         dtype=None) -> Tensor:
    """The norm of a tensor over some dimensions; of all elements where none are named."""
    if is_coo(input):
        return _sparse_norm(input, p, dim, keepdim, dtype)
    if isinstance(p, str):
        if p != "fro" or (dim is not None and not isinstance(dim, int) and len(dim) > 2):
            dims = tuple(range(input.dim())) if dim is None else (dim,) if isinstance(dim, int) else dim
            return FUNCTIONS["linalg_matrix_norm"](input, p, dims, keepdim, dtype=dtype, **into(out))
    order = 2 if p is None or isinstance(p, str) else p
    dim = [dim] if isinstance(dim, int) else dim
    vector_norm = FUNCTIONS["linalg_vector_norm"]  # which looks at what the user handed through
    if out is None:
        return vector_norm(input, order, dim, keepdim, dtype=dtype)
    return vector_norm(input, order, dim, keepdim, dtype=dtype, out=out)


def _sparse_norm(input: Tensor, p, dim, keepdim: bool, dtype) -> Tensor:
    """The norm of a sparse tensor, which torch computes by its older functions."""
    if p == "fro":
        return aten.frobenius_norm(input, () if dim is None else dim, keepdim)
    if dim is None:
        return aten.norm(input, p) if dtype is None else aten.norm(input, p, dtype=dtype)
    return aten.norm(input, p, dim, keepdim) if dtype is None else aten.norm(input, p, dim, keepdim, dtype=dtype)


def _norm_method(self, p="fro", dim=None, keepdim: bool = False, dtype=None):
    return norm(self, p, dim, keepdim, dtype=dtype)


FUNCTIONS.update(einsum=einsum, tensordot=tensordot, chain_matmul=chain_matmul, norm=norm, cdist=cdist)
add_attribute("norm", _norm_method)
