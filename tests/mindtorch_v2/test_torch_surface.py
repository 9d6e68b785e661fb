"""The public names of torch and of Tensor against PyTorch's: what is lacking is signed, with the reason."""

from __future__ import annotations

import gzip
import json
import pathlib

import mindtorch_v2 as torch

from . import torch_surface

RECORDED = json.loads(gzip.decompress((pathlib.Path(__file__).parent / "data" / "torch_surface.json.gz").read_bytes()))

# Names that nobody is making, by the reason.
SIGNED = {
    "types and passes of TorchScript": """
        AVG AggregationType AliasDb Argument ArgumentSpec AwaitType BenchmarkConfig
        BenchmarkExecutionStats Block CallStack Capsule ClassType Code CompilationUnit
        CompleteArgumentSpec ConcreteModuleType ConcreteModuleTypeBuilder DeepCopyMemoTable
        DeserializationStorageContext DictType EnumType ErrorReport ExecutionPlan FileCheck
        FunctionSchema FutureType Gradient Graph GraphExecutorState IODescriptor InferredType
        InterfaceType ListType LiteScriptModule LockingLogger LoggerBase ModuleDict Node
        NoopLogger OperatorInfo OptionalType ParameterDict BufferDict RRefType SUM
        ScriptClass ScriptClassFunction ScriptDict ScriptDictIterator ScriptDictKeyIterator ScriptList
        ScriptListIterator ScriptMethod ScriptModuleSerializer ScriptObject ScriptObjectProperty
        SerializationStorageContext StaticModule
        ThroughputBenchmark TracingState TupleType Type UnionType Use Value import_ir_module
        import_ir_module_from_buffer merge_type_from_type_comment parse_ir parse_schema parse_type_comment
        unify_type_list fork wait""",
    "programs as files: there is no compiler to read them": "package",
    "the dispatcher's inner classes": "DispatchKey DispatchKeySet ExcludeDispatchKeyGuard PRIVATE_OPS",
    "modules and switches of torch's own file that nobody exports": """
        TYPE_CHECKING USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH builtins classproperty ctypes functools
        get_file_path glob importlib inspect math os platform sys textwrap threading warnings
        prepare_multiprocessing_environment profiler_allow_cudagraph_cupti_lazy_reinit_cuda12
        init_num_threads compiled_with_cxx11_abi cpp thread_safe_generator""",
    "quantised tensors": """
        choose_qparams_optimized
        empty_quantized fake_quantize_per_channel_affine fake_quantize_per_tensor_affine
        fused_moving_avg_obs_fake_quant per_channel_affine per_channel_affine_float_qparams
        per_channel_symmetric per_tensor_affine per_tensor_symmetric qscheme
        quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic quantized_batch_norm
        quantized_gru quantized_gru_cell quantized_lstm quantized_lstm_cell quantized_max_pool1d
        quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell""",
    "kernels of vendors' libraries and devices": """
        cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu
        cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler cudnn_is_acceptable
        fbgemm_linear_fp16_weight fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
        fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight fbgemm_pack_gemm_matrix_fp16
        fbgemm_pack_quantized_matrix miopen_batch_norm miopen_convolution miopen_convolution_add_relu
        miopen_convolution_relu miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution
        miopen_rnn mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights
        mkldnn_max_pool2d mkldnn_max_pool3d batch_norm_backward_elemt batch_norm_backward_reduce
        batch_norm_elemt batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats
        to_mkldnn mtia""",
}
# Names of families that are still to come; each may be here on any day.
COMING: dict[str, str] = {}


def names_in(table: dict[str, str]) -> set[str]:
    return {name for text in table.values() for name in text.split()}


def lacking(place: str) -> set[str]:
    ours = torch if place == "torch" else torch.Tensor
    return {name for name in RECORDED[place] if not hasattr(ours, name)}


def test_what_torch_has_and_we_lack_is_signed():
    assert lacking("torch") | lacking("Tensor") <= names_in(SIGNED) | names_in(COMING)


def test_what_is_signed_as_lacking_is_lacking():
    assert names_in(SIGNED) <= lacking("torch") | lacking("Tensor")


def test_members_and_plain_numbers_answer_as_pytorchs():
    assert torch_surface.answers(torch) == RECORDED["answers"]
