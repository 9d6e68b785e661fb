"""What torch and its Tensor offer, on any library with torch's interface: names, and answers to small questions."""

from __future__ import annotations

import warnings

# Questions about a tensor of ones, t, and about plain numbers.
QUESTIONS = """
    t.is_ipu; t.is_maia; t.is_mkldnn; t.is_mps; t.is_mtia; t.is_quantized; t.is_sparse; t.is_sparse_csr; t.is_vulkan
    t.is_xla; t.is_xpu; t.is_nested; t.volatile; t.name; t.grad_dtype; t._grad; t._grad_fn; t._python_dispatch
    t._has_symbolic_sizes_strides; t.is_distributed(); t._is_zerotensor(); t.dim_order(); t.t().dim_order()
    t[:1].dim_order(ambiguity_check=True); t.storage_type().__name__; t.dense_dim(); t.sparse_dim(); t.to_dense().dtype
    t.to_dense(dtype=torch.float64).dtype; t.int().dequantize().dtype; t.indices(); t.values(); t.is_coalesced()
    t.coalesce(); t.crow_indices(); t.ccol_indices(); t.col_indices(); t.row_indices(); t.q_scale(); t.q_zero_point()
    t.qscheme(); t.int_repr(); t._indices(); t._nnz(); t.sparse_mask(t); t.smm(t); t.sspaddmm(t, t)
    t.to_padded_tensor(0.0); t.reinforce(1); t.resize(3, 2); t.resize(4); t.resize_as(t.t()); t.module_load(t + 1)
    t.xpu(); t.ipu(); t.mtia(); t.__cuda_array_interface__; t.apply_(lambda v: v + 1); t.map_(t * 2, lambda a, b: a + b)
    t.map2_(t * 2, t * 3, lambda a, b, c: a + b + c); t.map_(torch.ones(5), max); (t * r).apply_(abs)
    reversed(t).shape; t.__div__(2); t.__rdiv__(2); t.__nonzero__(); t.__long__(); torch.get_device(t)
    torch.is_distributed(t); torch.is_vulkan_available(); torch.q_scale(t); torch.dequantize([t])[0].dtype
    torch.sym_int(2.7); torch.sym_int(-2.7); torch.sym_int('3'); torch.sym_float(2); torch.sym_max(2, 3.0)
    torch.sym_max(4, 3.0); torch.sym_min(2, 3.0); torch.sym_max(True, 2); torch.sym_max('a', 2); torch.sym_not(3)
    torch.sym_ite(True, 1, 2); torch.sym_ite(1, 1, 2); torch.sym_sqrt(4); torch.sym_sum([1, 2]); torch.sym_sum((1, 2.5))
    torch.sym_fresh_size(3); isinstance(3, torch.SymInt); torch.unravel_index(torch.tensor([5, 7]), (3, 4))
    torch.unravel_index(torch.tensor([5]), 9); torch.unravel_index(t, 4); torch.unravel_index(t.long(), (-1, 4))
    torch.unravel_index(t.long(), 'a'); torch.cov(t, fweights=torch.tensor([-1, 1, 1]))
    torch.batch_norm_update_stats(t[:0], None, None, 0.1); torch._segment_reduce(t, 'sum', lengths=torch.tensor([1, 1]))
    torch._C._nn.replication_pad1d(t, (1, 0)); torch._C._get_torch_function_state() == 0
    torch.nn.utils.rnn.pad_packed_sequence(torch.nn.utils.rnn.PackedSequence(t, torch.tensor([], dtype=torch.long)))
    torch.ones(4, 6).t()[::2].double().stride()
    torch.ones(2, 6, 8, 8).to(memory_format=torch.channels_last)[:, :, ::2].half().stride()
    [p.is_contiguous() for p in torch.ones(2, 0, requires_grad=True).mul(1).unsafe_chunk(3, 1)[0].add_(1).split(1)]
    torch.ones(1, 1, 2, 4).to(memory_format=torch.channels_last).stride()
    t.t().to(memory_format=torch.contiguous_format).stride(); torch._foreach_norm([t[:0]], 1e400)
    torch._foreach_add([t], []); torch._foreach_add([], [t]); torch._foreach_max([t[:0]])
    torch._foreach_addcmul([t], [t], [t], torch.tensor(2)); torch._foreach_addcmul([t], [t], [t], torch.tensor([1, 2]))
    t.__dlpack__(stream='a'); t.__dlpack__(stream=1); t.to_sparse().__dlpack__(); t.to('meta').__dlpack__()
    torch.cov(t, fweights=torch.tensor([0, 0, 0])); torch.is_anomaly_enabled(); torch.is_anomaly_check_nan_enabled()
"""


def questions() -> list[str]:
    return [question.strip() for line in QUESTIONS.strip().splitlines() for question in line.split(";")]


def answers(torch) -> dict[str, str]:
    """Each question and its answer as text; of an error its type and its first sentence."""
    return {question: _answer(torch, question) for question in questions()}


def _answer(torch, question: str) -> str:
    scope = {"torch": torch, "t": torch.ones(2, 3), "r": torch.ones(3, requires_grad=True)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(question, scope))
        except Exception as error:
            return f"{type(error).__name__}: {str(error).split('. ')[0].splitlines()[0]}"


def public_names(value) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]
