"""The LU decomposition, packed and unpacked."""

from .. import S

SQUARE = "f(3, 3) + 3 * torch.eye(3)"
FACTORED = "torch.linalg.lu_factor(f({}))"

SAMPLES = {
    "linalg_lu_factor": [
        *[S("torch.linalg.lu_factor(x)", x=f"f({shape})") for shape in ("3, 3", "2, 4, 3", "2, 3, 4", "0, 3, 3")],
        S("torch.linalg.lu_factor(x)", x="c(3, 3)"),
        S("torch.linalg.lu_factor(x.T)", x="d(3, 3)"),
        S("torch.linalg.lu_factor(x, pivot=False)", x="f(3, 3)"),
        S("torch.linalg.lu_factor(x)", x="torch.zeros(3, 3)"),
        S("torch.linalg.lu_factor(x)", x="f(3)"),
        S("torch.linalg.lu_factor(x)", x="i(3, 3)"),
        S("torch.linalg.lu_factor(x)", x="h(3, 3)"),
    ],
    "linalg_lu_factor_ex": [
        S("torch.linalg.lu_factor_ex(x)", x="f(2, 3, 3)"),
        S("torch.linalg.lu_factor_ex(x)", x="f(5, 4)"),
        S("torch.linalg.lu_factor_ex(x).info", x="torch.zeros(3, 3)"),
        S("torch.linalg.lu_factor_ex(x, check_errors=True)", x="torch.zeros(3, 3)"),
    ],
    "_lu_with_info": [
        S("torch._lu_with_info(x)", x="f(3, 3)"),
        S("torch._lu_with_info(x, pivot=True, check_errors=False)", x="f(2, 3, 4)"),
    ],
    "linalg_lu": [
        *[S("torch.linalg.lu(x)", x=f"f({shape})") for shape in ("3, 3", "2, 4, 3", "2, 3, 4", "0, 3")],
        S("torch.linalg.lu(x)", x="c(3, 3)"),
        S("torch.linalg.lu(x)", x="c(4, 3)"),
        S("torch.linalg.lu(x).L", x="f(3, 4)"),
        S("torch.linalg.lu(x).U", x="f(4, 3)"),
        S("torch.linalg.lu(x, pivot=False)", x="f(3, 3)"),
        S("torch.linalg.lu(x)", x="f(3)"),
        S("torch.linalg.lu(x)", x="i(3, 3)"),
    ],
    "lu_unpack": [
        *[S("torch.lu_unpack(x, p)", p=FACTORED.format(shape) + "[1]", x=f"f({shape})")
          for shape in ("3, 3", "2, 4, 3", "2, 3, 4")],
        S("torch.lu_unpack(x.detach(), p, unpack_data=False)", p=FACTORED.format("3, 4") + "[1]", x="f(3, 4)"),
        S("torch.lu_unpack(x, p, unpack_pivots=False)", p=FACTORED.format("3, 4") + "[1]", x="f(3, 4)"),
        S("torch.lu_unpack(x, p)", p="torch.zeros(3, dtype=torch.int)", x="f(3, 3)"),
        S("torch.lu_unpack(x, p)", p="i(3)", x="f(3, 3)"),
        S("torch.lu_unpack(x.detach(), p)", p="i(3)", x="f(3)"),
    ],
}
