"""Equations of matrices under vmap: dimensions of members before the matrices broadcast behind the batch."""

from __future__ import annotations

from ..core.tensor import Tensor, ndim_of, shape_of
from . import dispatcher
from .aten import aten
from .batch_call import Call, padded
from .batch_loop import loop

# How many dimensions of each tensor are those of a matrix or a vector.
RANKS = {"linalg_lu_solve": (2, 1, 2), "linalg_ldl_solve": (2, 1, 2), "linalg_solve_triangular": (2, 2),
         "triangular_solve": (2, 2), "cholesky_solve": (2, 2), "_cholesky_solve_helper": (2, 2), "ormqr": (2, 1, 2)}


def equation(call: Call):
    """Members with as many dimensions before their matrices as the one with most."""
    ranks = RANKS[call.op.name]
    given = [call.args[i] for i in call.op.tensors]
    before = max([ndim_of(tensor) - rank for tensor, rank in zip(given, ranks)])
    args = list(call.args)
    for i, rank in zip(call.op.tensors, ranks):
        args[i] = padded(call.full(call.args[i]), before + rank)
    return call.run(args)


def solved(call: Call):
    """``_linalg_solve_ex``: the right side is of matrices or, if it can be, of vectors."""
    a, b, left, *rest = call.args
    is_vector = ndim_of(b) == 1 or (ndim_of(a) - 1 == ndim_of(b) and shape_of(b) == shape_of(a)[:-1])
    if is_vector:
        if not left:
            return loop(call)
        b = aten.unsqueeze(b, -1)
    before = max(ndim_of(a), ndim_of(b))
    result = dispatcher.call(call.op, (padded(call.full(a), before), padded(call.full(b), before), left, *rest))
    first, *others = result
    return call.members([aten.squeeze(first, -1) if is_vector else first, *others])


def checked(call: Call):
    """``_linalg_check_errors``: whether a decomposition of any member failed."""
    info, name, _ = call.args
    return aten._linalg_check_errors(call.front(info), name, is_matrix=False)


def multiplied(call: Call):
    """Products of matrices: matmul takes batches on either side."""
    left, right = call.args
    check_ranks(call.op.name, left, right, *(2, 2) if call.op.name == "mm" else (3, 3))
    call.op.form["meta"](*call.args)
    if call.op.name == "bmm":
        return call.members(aten.matmul(call.full(left), call.full(right)))
    return call.members(aten.matmul(call.front(left), call.front(right)))


def check_ranks(name: str, left: Tensor, right: Tensor, left_rank: int, right_rank: int) -> None:
    """Refuse members of other dimensions, in torch's words."""
    if (ndim_of(left), ndim_of(right)) != (left_rank, right_rank):
        raise RuntimeError(f"Shape mismatch: Got incorrect dims for {name}(a, b). a has dim {ndim_of(left)}and b has "
                           f"dim {ndim_of(right)}but expected them to have dim {left_rank} and dim {right_rank}")


RULES = {
    **{name: equation for name in RANKS},
    "_linalg_solve_ex": solved, "_linalg_check_errors": checked,
    "mm": multiplied, "bmm": multiplied,
}
