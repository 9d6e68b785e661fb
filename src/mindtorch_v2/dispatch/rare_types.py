# cython: annotation_typing=False
"""Number types that few ops take: large unsigned integers, floats of eight bits, complex32, and bytes without meaning.

torch has no kernels for most ops on them and says so by the kernel's name. The table has the ops that take some of
them; every other op refuses them. Floats of eight bits and complex32 are computed with in float32 and complex64, and
rounded.
"""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.dtype import DType
from ..core.tensor import Tensor, blank, shape_of
from ..devices.kernel import copy
from ..opdef.operator import Operator
from . import dispatcher, pointwise

# One letter for a group of types: unsigned integers, floats of eight bits with a sign, the one without, complex32,
# and bytes.
GROUPS = {"uint16": "u", "uint32": "u", "uint64": "u", "complex32": "c", "float8_e8m0fnu": "s",
          **{f"float8_{form}": "f" for form in ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz")}}
BYTES = "b"
WIDE = {"f": dtypes.float32, "s": dtypes.float32, "c": dtypes.complex64}

# Ops that make or describe memory, and those that only call other ops, which are asked in their turn.
PASSED = frozenset("""
    _detach _detach_ _has_compatible_shallow_copy_type _reshape_alias _unsafe_view alias as_strided as_strided_
    can_cast detach detach_ diagonal diagonal_backward empty empty_like empty_strided expand full full_like
    is_pinned lift_fresh new_empty new_empty_strided new_full new_ones new_zeros ones ones_like permute
    promote_types rand rand_like randint randint_like randn randn_like requires_grad_ reshape resize_ resize_as_
    result_type scalar_tensor select select_backward set_ slice slice_backward split split_with_sizes squeeze
    squeeze_ t t_ transpose transpose_ unbind unfold unsqueeze unsqueeze_ view view_as_complex view_as_real zeros
    zeros_like _conj adjoint alias_copy as_strided_copy as_strided_scatter block_diag _chunk_cat diag_embed
    diagonal_copy empty_permuted eye mH narrow_copy permute_copy roll split_copy split_with_sizes_copy squeeze_copy
    transpose_copy unbind_copy unfold_copy unsafe_chunk unsafe_split unsqueeze_copy
""".split())
# Other ops, and the groups that their kernels take.
TAKEN = {
    "_index_put_impl": "fc", "_local_scalar_dense": "ufsc", "_to_copy": "ufsc", "_unique2": "u", "abs": "fc",
    "add": "c", "addmm": "f", "all": "ufsc", "any": "ufsc", "bitwise_and": "u", "bitwise_not": "u", "bitwise_or": "u",
    "bitwise_xor": "u", "cat": "ufscb", "clone": "ufscb", "conj_physical": "c", "copy": "ufscb", "div": "u",
    "eq": "ufsc", "equal": "ufs", "fill": "ufsc",
    "hash_tensor": "u", "imag": "c", "index": "ufsc", "index_put": "fc",
    "index_select": "ufsc", "isfinite": "uc", "isinf": "ufsc", "isnan": "ufsc", "item": "ufsc", "logical_not": "ufsc",
    "masked_fill": "c", "masked_select": "fsc", "mm": "f", "mul": "ufsc", "ne": "ufsc", "neg": "c", "nonzero": "c",
    "normal": "c", "prod": "u", "random": "u", "real": "c", "repeat": "ufsc", "sort": "u", "sqrt": "u", "stack": "ufsc",
    "sub": "c", "sum": "u", "to": "ufsc", "uniform": "c", "unique": "u", "where": "ufsc", "zero": "ufscb",
    "_conj_physical": "c", "index_add": "c", "index_copy": "c", "index_fill": "c", "linalg_vector_norm": "c",
    "nonzero_static": "c", "sgn": "c", "tril": "c", "triu": "c", "unique_dim": "u",
    **{f"special_{name}": "u" for name in """
        airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 entr erfcx i0e i1 i1e log_ndtr modified_bessel_i0
        modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1
        spherical_bessel_j0
    """.split()},
}
SINGLY_TAKEN = {("isfinite", "float8_e5m2")}
KERNELS_IN_TORCH = frozenset({"isfinite", "equal", "__lshift__", "__rshift__", "__ilshift__", "__irshift__"})
# Of those, the ones that compute, beside all elementwise ones.
COMPUTED = frozenset("""
    _conj_physical abs addmm all any conj_physical equal index_add isfinite isinf isnan linalg_vector_norm mm neg
    nonzero nonzero_static normal sgn uniform
""".split())
# The name by which torch's kernel complains, where it is not the op's with "_cpu" behind.
KERNELS = {
    "_index_put_impl": "index_put", "_local_scalar_dense": "_local_scalar_dense_cpu", "_to_copy": "copy_",
    "_unique2": "unique", "add": "add_stub", "addmm": "addmm_impl_cpu_", "bmm": "baddbmm", "clamp": "clamp_scalar_cpu",
    "copy": "copy_", "floor_divide": "div_floor_cpu", "gather": "scatter_gather_tensor_cpu", "index_put": "index_put",
    "index_select": "index_select", "isfinite": "isfinite", "masked_fill": "masked_fill",
    "masked_select": "masked_select", "max": "max_all", "min": "min_all", "mm": "addmm_impl_cpu_",
    "nonzero": "nonzero_count_cpu", "prod": "prod_out_cpu", "random": "random_update_from_to",
    "scatter": "scatter_gather_tensor_cpu", "sort": "sorting_kernel_method_name", "sqrt": "sqrt_vml_cpu",
    "sub": "add_stub", "uniform": "check_uniform_bounds", "__lshift__": "lshift_cpu", "__rshift__": "rshift_cpu",
    "__ilshift__": "lshift_cpu", "__irshift__": "rshift_cpu",
    "bitwise_left_shift": "lshift_cpu", "bitwise_right_shift": "rshift_cpu",
}
FLOAT8_KERNELS = {"div": "div_cpu_reduced_float", "floor_divide": "div_floor_cpu_reduced_float",
                  "gather": "gather_expanded_index"}


def group(dtype: DType) -> str:
    """The letter of a type; none of a usual one."""
    if not dtype.rare:
        return ""
    return GROUPS.get(dtype.name, BYTES)


def rare_of(args) -> DType | None:
    """The rare type among the tensors of a call, or the one it is to compute in, if there is one."""
    for value in args:
        if isinstance(value, Tensor):
            if value.dtype.rare:
                return value.dtype
        elif isinstance(value, DType):
            if value.rare:
                return value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, Tensor) and item.dtype.rare:
                    return item.dtype
    return None


def group_of_call(op: Operator, args) -> str:
    """The letter of the rare type that a call would compute in, if there is one that it is not cast from."""
    dtype = rare_of(args)
    if dtype is None:
        return ""
    return group(pointwise.common_type(op, args) if op.pointwise and op.n_tensors > 1 else dtype)


def check_composition(op: Operator, args) -> None:
    """Refuse the compositions that are single kernels in torch, which refuse some types."""
    if op.name in KERNELS_IN_TORCH:
        letter = group_of_call(op, args)
        if letter and letter not in TAKEN.get(op.name, "") and (op.name, rare_of(args).name) not in SINGLY_TAKEN:
            raise refusal(op, op.name, args, letter)


def compute(op: Operator, args, letter: str):
    """The op's work on a rare type, or torch's complaint."""
    if op.name in PASSED:
        return dispatcher.compute_plain(op, args)
    name = op.name if op.name.endswith("__") else op.name.removesuffix("_")
    if letter not in TAKEN.get(name, "") and (name, rare_of(args).name) not in SINGLY_TAKEN:
        raise refusal(op, name, args, letter)
    if letter == BYTES and name == "copy" and args[0].dtype is not args[1].dtype:
        raise refusal(op, name, args, letter)
    if letter in WIDE and (op.pointwise or name in COMPUTED):
        return in_wide(op, args, WIDE[letter])
    return dispatcher.compute_plain(op, args)


def refusal(op: Operator, name: str, args, letter: str) -> Exception:
    """torch's complaint: that of complex numbers in general, or that there is no such kernel."""
    if letter == "c" and not op.composite:
        try:
            in_wide(op, args, dtypes.complex64, writes=False)
        except (NotImplementedError, RuntimeError) as error:
            return type(error)(str(error).replace(dtypes.complex64.short, dtypes.complex32.short))
    kernel = FLOAT8_KERNELS.get(name) if letter in "fs" else None
    return NotImplementedError(f"\"{kernel or KERNELS.get(name, f'{name}_cpu')}\" not implemented for "
                               f"'{rare_of(args).short}'")


def in_wide(op: Operator, args, wide: DType, writes: bool = True):
    """Compute in a wider type, and round what comes out to the type that went in."""
    rare = rare_of(args)
    wider = tuple([recast(value, wide) if isinstance(value, Tensor) and value.dtype.rare else value for value in args])
    computed = dispatcher.compute_plain(op, wider)
    if op.mutates >= 0 and writes:
        copy(args[op.mutates], wider[op.mutates])
        return args[op.mutates]
    if not isinstance(computed, Tensor):
        return computed
    result = {wide: rare, wide.to_real(): rare.to_real()}.get(computed.dtype)
    return computed if result is None else recast(computed, result)


def recast(tensor: Tensor, dtype: DType) -> Tensor:
    """The same numbers in another type, without a row."""
    computed = blank(shape_of(tensor), dtype)
    copy(computed, tensor)
    return computed
