"""Forms that torch derives from other ops: functions of ops that write, and ``out=`` forms that compute and copy.

They are reached by their full names alone (``torch.ops.aten.clone.out``). Every other op is declared before them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..core.device import contiguous_format
from ..core.tensor import Tensor, shape_of
from ..dispatch import dispatcher
from ..dispatch.aten import aten
from ..dispatch.out_argument import fit
from ..opdef import table
from ..opdef.form import declare_derived
from ..opdef.operator import Operator
from ..opdef.rules import Spec
from .shared.not_differentiable import UNKNOWN, unknown

_ONLY = "torch.ops.aten"
_FACTORY = ("dtype", "layout", "device", "pin_memory")  # a given tensor has them already
_FUSED_ADAM = "self_out,grads_out,exp_avgs_out,exp_avg_sqs_out,max_exp_avg_sqs_out"
# op in place without its underscore, its overload, names of the results
FUNCTIONAL = [
    ("set", "", ""), ("set", "source_Tensor", ""), ("set", "source_Storage", ""),
    ("set", "source_Storage_storage_offset", ""), ("resize", "", ""), ("resize_as", "", ""),
    ("_fused_adam", "", _FUSED_ADAM), ("_fused_adam", "tensor_lr", _FUSED_ADAM),
    ("_fused_adamw", "", _FUSED_ADAM), ("_fused_adamw", "tensor_lr", _FUSED_ADAM),
    ("_fused_sgd", "", "self_out,grads_out,momentum_buffer_list_out"),
    ("_fused_sgd", "tensor_lr", "self_out,grads_out,momentum_buffer_list_out"),
    ("_fused_adagrad", "", "self_out,grads_out,state_sums_out,state_steps_out"),
    ("_fused_adagrad", "tensor_lr", "self_out,grads_out,state_sums_out"),
    ("_amp_update_scale", "", ",growth_tracker_out"),
    ("_amp_foreach_non_finite_check_and_unscale", "", "self_out,found_inf_out"),
    ("_foreach_zero", "", "self_out"), ("sparse_resize", "", ""), ("sparse_resize_and_clear", "", ""),
    ("resize_as_sparse", "", ""), ("copy_sparse_to_sparse", "", ""), ("_coalesced", "", ""),
    ("embedding_renorm", "", ""), ("_index_put_impl", "", ""),
]

# views whose form that copies is called after them, as ``select_copy.int``; those behind the bar are inner ops
COPIED, INNER_COPIED = """
alias as_strided ccol_indices col_indices crow_indices detach expand indices permute row_indices select.int
slice.Tensor squeeze squeeze.dim squeeze.dims t transpose.int unfold
unsqueeze values view view.dtype view_as_real unbind.int split.Tensor split_with_sizes
_neg_view
| _indices _reshape_alias _values
""".split("|")
# those of them that show several tensors
LISTED = ("unbind", "split", "split_with_sizes")
# of these torch has no copying form for sparse tensors
NOT_OF_COORDINATES = ("indices", "values", "_indices", "_values")
# ops, and overloads of them, whose ``out=`` form is called after them: ``clone.out``, ``add.Scalar_out``
OUT = """
__lshift__.Scalar __lshift__.Tensor __rshift__.Scalar __rshift__.Tensor _adaptive_avg_pool2d
_adaptive_avg_pool2d_backward _adaptive_avg_pool3d _adaptive_avg_pool3d_backward _cdist_backward _cdist_forward
_conj_physical _convolution _ctc_loss _ctc_loss.Tensor _ctc_loss_backward _dirichlet_grad _embedding_bag
_embedding_bag_dense_backward _embedding_bag_forward_only _embedding_bag_per_sample_weights_backward _euclidean_dist
_foreach_abs _foreach_acos _foreach_add.List _foreach_add.Scalar _foreach_add.ScalarList _foreach_add.Tensor
_foreach_addcdiv.Scalar _foreach_addcdiv.ScalarList _foreach_addcdiv.Tensor _foreach_addcmul.Scalar
_foreach_addcmul.ScalarList _foreach_addcmul.Tensor _foreach_asin _foreach_atan _foreach_ceil _foreach_clamp_max.List
_foreach_clamp_max.Scalar _foreach_clamp_max.ScalarList _foreach_clamp_min.List _foreach_clamp_min.Scalar
_foreach_clamp_min.ScalarList _foreach_clone _foreach_copy _foreach_cos _foreach_cosh _foreach_div.List
_foreach_div.Scalar _foreach_div.ScalarList _foreach_div.Tensor _foreach_erf _foreach_erfc _foreach_exp _foreach_expm1
_foreach_floor _foreach_frac _foreach_lerp.List _foreach_lerp.Scalar _foreach_lerp.ScalarList _foreach_lgamma
_foreach_log _foreach_log10 _foreach_log1p _foreach_log2 _foreach_max _foreach_maximum.List _foreach_maximum.Scalar
_foreach_maximum.ScalarList _foreach_minimum.List _foreach_minimum.Scalar _foreach_minimum.ScalarList _foreach_mul.List
_foreach_mul.Scalar _foreach_mul.ScalarList _foreach_mul.Tensor _foreach_neg _foreach_norm.Scalar _foreach_pow.List
_foreach_pow.Scalar _foreach_pow.ScalarList _foreach_reciprocal _foreach_round _foreach_rsqrt _foreach_sigmoid
_foreach_sign _foreach_sin _foreach_sinh _foreach_sqrt _foreach_sub.List _foreach_sub.Scalar _foreach_sub.ScalarList
_foreach_tan _foreach_tanh _foreach_trunc _foreach_zero _histogramdd_bin_edges _histogramdd_from_bin_cts
_histogramdd_from_bin_tensors _masked_softmax _masked_softmax_backward _native_multi_head_attention
_pack_padded_sequence _pdist_backward _pdist_forward _sample_dirichlet _segment_reduce_backward
_slow_conv2d_backward.output_mask _standard_gamma _standard_gamma_grad _to_copy _transform_bias_rescale_qkv
_transformer_encoder_layer_fwd _trilinear _unique _unique2 _unsafe_view _weight_norm_interface
_weight_norm_interface_backward adaptive_avg_pool1d add.Scalar as_strided_scatter avg_pool1d bernoulli.Tensor
binary_cross_entropy_with_logits bincount binomial bitwise_and.Scalar_Tensor bitwise_left_shift.Scalar_Tensor
bitwise_or.Scalar_Tensor bitwise_right_shift.Scalar_Tensor bitwise_xor.Scalar_Tensor bucketize.Scalar cauchy celu clone
conv_tbc convolution convolution_backward copy count_nonzero count_nonzero.dim_IntList diagonal_backward
diagonal_scatter dist div.Scalar embedding embedding_dense_backward empty_like empty_permuted empty_strided exponential
fill.Scalar fill.Tensor flip full_like geometric grid_sampler_2d_backward grid_sampler_3d_backward hardswish_backward
index_fill.int_Scalar index_fill.int_Tensor index_put isinf isnan lift lift_fresh_copy log_normal masked_fill.Scalar
masked_fill.Tensor masked_scatter median mul.Scalar nanmedian native_batch_norm_backward native_dropout
native_dropout_backward native_group_norm native_group_norm_backward native_layer_norm native_layer_norm_backward
new_empty new_empty_strided new_full new_ones new_zeros norm.Scalar ones_like poisson prod put rand_like
rand_like.generator randint_like.Tensor randint_like.Tensor_generator randn_like randn_like.generator random
random.from random.to relu remainder.Scalar_Tensor repeat repeat_interleave.Tensor resize resize_as roll rot90
rrelu_with_noise_backward rsub.Scalar rsub.Tensor scalar_tensor segment_reduce select_backward select_scatter set
set.source_Storage set.source_Storage_storage_offset set.source_Tensor slice_backward slow_conv_dilated2d
slow_conv_dilated3d std_mean.correction sub.Scalar sum trace tril_indices triu_indices unfold_backward uniform
unique_consecutive unique_dim unique_dim_consecutive unsafe_split.Tensor unsafe_split_with_sizes var_mean.correction
zero zeros_like _aminmax _aminmax.dim _batch_norm_no_update _foreach_powsum.Scalar _index_put_impl
_native_batch_norm_legit_no_training batch_norm_update_stats embedding_renorm
"""


# the same for ops whose ``out=`` form Python's functions take
OUT_IN_PYTHON = "slice_scatter"


def declare_functional(name: str, overload: str, results: str) -> None:
    """The form of an op in place that copies what it writes, and returns the copies; a list of tensors is one."""
    declare_derived(_full(name, overload), _ONLY, lambda: _functional_form(name, overload, results))


def _functional_form(name: str, overload: str, results: str) -> dict:
    writing = table.find(name + "_", overload)
    params = writing.schema.params
    written = [i for i, p in enumerate(params) if p.alias.endswith("!")]
    kinds = ["Tensor[]" if params[i].text.endswith("[]") else "Tensor" for i in written]
    returned = ", ".join([f"{kind} {result}".strip() for kind, result in zip(kinds, results.split(","))])

    def body(*args):
        copied = list(args)
        for i in written:
            copied[i] = _copy(args[i])
        dispatcher.call(writing, tuple(copied))
        copies = [copied[i] for i in written]
        return copies[0] if len(copies) == 1 else tuple(copies)

    schema = (f"{_full(name, overload)}({re.sub(r'[(][a-z]![)]', '', _params(writing))}) -> "
              f"{returned if len(written) == 1 else f'({returned})'}")
    return {"schema": schema, "doc": writing.doc, "body": body, **_kinds(writing),
            **({"below": "lists come out"} if "Tensor[]" in kinds else _no_derivative(writing))}


def declare_copy(name: str, overload: str, internal: str | None = None) -> None:
    """The form of a view that copies what it would show, with the derivative of the view."""
    declare_derived(_full(f"{name}_copy", overload), internal, lambda: _copy_form(name, overload))
    if name in LISTED:
        copying = declare_derived(_full_out(f"{name}_copy", overload), _ONLY,
                                  lambda: _listed_out_form(name, overload, lambda: copying.op))
    else:
        declare_out(f"{name}_copy", overload, internal)


def _copy_form(name: str, overload: str) -> dict:
    view = table.find(name, overload)
    is_list = name in LISTED

    def body(*args):
        shown = dispatcher.call(view, args)
        if is_list:
            return tuple([aten.clone(t, memory_format=contiguous_format) for t in shown])
        return aten.clone(shown, memory_format=contiguous_format)

    facets = {facet: value for facet, value in view.form.items() if facet.startswith("grad") or facet == "conjugate"}
    if view.backward is None:
        facets = _no_derivative(view, f"{name}_copy")
    else:
        facets["node"] = f"{view.backward.node}_copy"
    schema = f"{_full(f'{name}_copy', overload)}({_params_of_view(view)}) -> Tensor{'[]' * is_list}"
    return {"schema": schema, "doc": f"A copy of {name}.", "body": body, **facets,
            **({} if name in NOT_OF_COORDINATES else _kinds(view))}


def _listed_out_form(name: str, overload: str, copying: Callable[[], Operator]) -> dict:
    view = table.find(name, overload)
    schema = f"{_full_out(f'{name}_copy', overload)}({_params_of_view(view)}, *, Tensor(a!)[] out) -> ()"
    return {"schema": schema, "doc": f"A copy of {name} in given tensors.",
            "body": lambda *args: _write(copying(), args[-1], dispatcher.call(view, args[:-1]))}


def declare_out(name: str, overload: str, internal: str | None = _ONLY) -> None:
    """The form of an op that writes into given tensors: torch computes as ever, and copies."""
    copying = declare_derived(_full_out(name, overload), internal,
                              lambda: _out_form(name, overload, lambda: copying.op))


def _out_form(name: str, overload: str, copying: Callable[[], Operator]) -> dict:
    op = table.find(name, overload)
    params, names = _params(op), [p.name for p in op.schema.params]
    if "layout" in names:
        params = re.sub(rf", [A-Za-z]+[?] ({'|'.join(_FACTORY)})=[^,]*", "", params)
    kept = [i for i, name in enumerate(names) if "layout" not in names or name not in _FACTORY]
    results = op.schema.results
    outs = ["out"] if len(results) == 1 else [f"out{i}" for i in range(len(results))]
    written = [f"Tensor({chr(ord('a') + i)}!){'[]' * result.is_list}" for i, result in enumerate(results)]

    def body(*args):
        given = dict(zip(kept, args))
        computed = dispatcher.call(op, tuple([given.get(i, p.default) for i, p in enumerate(op.schema.params)]))
        computed = computed if len(outs) > 1 else (computed,)
        for out, result in zip(args[len(kept):], computed):
            _write(copying(), out, result)
        return None if results[0].is_list else args[-1] if len(outs) == 1 else args[len(kept):]

    star = "" if "*" in params else ", *"
    given = ", ".join([f"{kind} {out}" for kind, out in zip(written, outs)])
    returned = "()" if results[0].is_list else written[0] if len(written) == 1 else f"({', '.join(written)})"
    facets = {} if results[0].is_list else _no_derivative(op)
    if name in OUT_IN_PYTHON.split():
        facets = {"no_formula": "torch has a derivative for the op that computes"}
    schema = f"{_full_out(name, overload)}({params}{star}, {given}) -> {returned}"
    return {"schema": schema, "doc": op.doc, "body": body, **_kinds(op), **facets}


def _full(name: str, overload: str) -> str:
    return f"{name}.{overload}" if overload else name


def _full_out(name: str, overload: str) -> str:
    return f"{name}.{overload}_out" if overload else f"{name}.out"


def _kinds(op: Operator) -> dict:
    """Forms of an op that reads what sparse tensors are made of do so too."""
    return {"of_kind": op.form["of_kind"]} if "of_kind" in op.form else {}


def _write(op: Operator, out, result) -> None:
    if isinstance(result, Tensor):
        fit(op, out, Spec(shape_of(result), result.dtype))
        aten.copy_(out, result)
    else:
        for place, item in zip(out, result):
            _write(op, place, item)


def _copy(value):
    return aten.clone(value) if isinstance(value, Tensor) else tuple([aten.clone(t) for t in value])


def _params(op: Operator) -> str:
    """The parameters of an op as its schema writes them."""
    return op.schema.sentence.partition("(")[2].rpartition(") -> ")[0]


def _params_of_view(view: Operator) -> str:
    """The same of a view, without what says that results share its memory."""
    return re.sub(r"[(]a( -> [*])?[)]", "", _params(view))


def _no_derivative(op: Operator, name: str = "") -> dict:
    """What torch does in the backward of such a form: it complains."""
    tensors = [p.name for p in op.schema.params if p.text.startswith("Tensor")]
    if not tensors or op.name.startswith("new_") or op.name.endswith("_like"):  # of the tensor only its type is read
        return {}
    return {"node": UNKNOWN, "grads": unknown(name or op.name.rstrip("_")), "grads_of": " ".join(tensors)}


def declare_all() -> None:
    """Declare what the tables above name."""
    for row in FUNCTIONAL:
        declare_functional(*row)
    for full_name in COPIED.split():
        declare_copy(*_split(full_name))
    for full_name in INNER_COPIED.split():
        declare_copy(*_split(full_name), internal=_ONLY)
    for full_name in OUT.split():
        declare_out(*_split(full_name))
    for full_name in OUT_IN_PYTHON.split():
        declare_out(*_split(full_name), internal=None)
    declare_out("_conj_copy", "", internal=None)


def _split(full_name: str) -> tuple[str, str]:
    name, _, overload = full_name.partition(".")
    return name, overload
