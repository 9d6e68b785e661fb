"""torch's modules against PyTorch's, as recorded by tools/record_namespaces.py: names, signatures, windows."""

from __future__ import annotations

import gzip
import importlib
import inspect
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from . import namespaces

RECORDED = json.loads(gzip.decompress((Path(__file__).parent / "data" / "namespaces.json.gz").read_bytes()))
FACTS = RECORDED["modules"]
SURFACES = json.loads((Path(__file__).parent / "data" / "public_names.json").read_text())

# Public names that are not here, by module, with the reason.
SIGNED = {
    "options of the backends, and groups that are changed while they live": {"distributed": """
        AllToAllOptions AllreduceCoalescedOptions AllreduceOptions BackendConfig BarrierOptions BroadcastOptions
        BuiltinCommHookType DebugLevel GatherOptions GroupName Logger ProcessGroupGloo ReduceOptions
        ReduceScatterOptions Reducer ScatterOptions breakpoint get_debug_level record_comm set_debug_level
        set_debug_level_from_env shrink_group split_group"""},
    "nothing is compiled: guards, compiled functions, kernels in Triton, programs of scripts": {
        "compiler": """
            keep_portable_guards_unsafe keep_tensor_guards_unsafe load_compiled_function skip_all_guards_unsafe
            skip_guard_on_all_nn_modules_unsafe skip_guard_on_globals_unsafe
            skip_guard_on_inbuilt_nn_modules_unsafe""",
        "library": "wrap_triton", "jit": "CompilationUnit export_opnames",
        "export": """
            AdditionalInputs Constraint CustomDecompTable ExportBackwardSignature ExportGraphSignature FlatArgsAdapter
            ModuleCallEntry ModuleCallSignature ShapesCollection UnflattenedModule default_decompositions draft_export
            register_dataclass unflatten""",
        "export.dynamic_shapes": "AdditionalInputs Constraint refine_dynamic_shapes_from_suggested_fixes",
        "onnx": "ExportableModule InputObserver ONNXProgram errors ops", "utils": "ThroughputBenchmark"},
    "there is no accelerator, whose graphs, streams and memory these are": {
        "backends.cusparselt": "get_max_alg_id version", "backends.mps": "get_core_count get_name",
        "cuda.memory": "get_allocator_backend",
        "accelerator": "Graph device_index empty_host_cache",
        "autograd.graph": """
            region_activation_memory_budget set_override_stale_capture_stream
            set_warn_on_accumulate_grad_stream_mismatch"""},
    "tensors and modules that are spread over processes": {
        "distributed.fsdp": "DataParallelMeshDims UnshardHandle share_comm_ctx", "distributed.nn": "RemoteModule",
        "distributed.nn.functional": "Function group",
        "distributed.tensor": "empty full ones rand randn zeros"},
    "parts of packages of code, and what few graphs need": {
        "fx.graph_module": "reduce_package_graph_module", "fx.proxy": "MetaProxy",
        "fx.passes.split_module": "split_module_simple", "fx.passes.tools_common": "FxNetAccFusionsFinder"},
    "threads of C++, libraries and connections that are not ours": {
        "backends.mkl": "verbose", "multiprocessing.pool": "clean_worker", "multiprocessing.queue": "ConnectionWrapper",
        "utils": "get_cpp_backtrace", "utils.data.datapipes.iter": "RoutedDecoder"},
    "counts of instructions by Valgrind, and random inputs for them": {"utils.benchmark": """
        CallgrindStats CopyIfCallgrind FunctionCount FunctionCounts FuzzedParameter FuzzedSparseTensor FuzzedTensor
        Fuzzer ParameterAlias"""},
    "checks of the types of datapipes": {"utils.data": """
        argument_validation guaranteed_datapipes_determinism non_deterministic runtime_validation
        runtime_validation_disabled"""},
    "inner classes of autograd and its hooks": {
        "autograd": "NestedIOFunction", "autograd.function": "NestedIOFunction", "utils.hooks": "BackwardHook",
        "return_types": "pytree_register_structseq",
        "autograd.gradcheck": "get_numerical_jacobian_wrt_specific_input"},
    "of use to subclasses and devices that are not here": {
        "library": "get_kernel register_torch_dispatch", "random": "thread_safe_generator",
        "optim": "swap_in_optimizer_params_and_state"},
}
# Names that others are writing; each may be here on any day.
COMING: dict[str, str] = {}


def module_of(address: str):
    return importlib.import_module(f"mindtorch_v2.{address}")


def signed(address: str) -> set[str]:
    return {name for modules in SIGNED.values() for name in modules.get(address, "").split()}


@pytest.mark.parametrize("address", SURFACES)
def test_public_names_that_are_lacking_are_signed(address):
    lacking = {name for name in SURFACES[address] if not hasattr(module_of(address), name)}
    coming = set(COMING.get(address, "").split())
    assert lacking - coming == signed(address)


@pytest.mark.parametrize("address", FACTS)
def test_a_module_has_the_functions_of_torch_s(address):
    assert namespaces.names_of(module_of(address)) == sorted(FACTS[address])


@pytest.mark.parametrize("address", FACTS)
def test_functions_are_called_as_torch_s(address):
    ours = {name: namespaces.described(getattr(module_of(address), name)) for name in FACTS[address]}
    assert ours == FACTS[address]


@pytest.mark.parametrize(("address", "name", "parameters"), [
    ("autograd.function", "once_differentiable", "fn"), ("utils.hooks", "unserializable_hook", "f"),
    ("utils.hooks", "RemovableHandle", "hooks_dict extra_dict"),
    ("random", "fork_rng", "devices enabled _caller _devices_kw device_type"),
    ("distributed", "init_device_mesh", "device_type mesh_shape mesh_dim_names backend_override"),
    ("fx.operator_schemas", "normalize_function",
     "target args kwargs arg_types kwarg_types normalize_to_only_use_kwargs"),
    ("fx.experimental.symbolic_shapes", "guard_size_oblivious", "expr"), ("overrides", "resolve_name", "f")])
def test_parameters_have_torch_s_names(address, name, parameters):
    assert list(inspect.signature(getattr(module_of(address), name)).parameters) == parameters.split()


def test_results_are_made_of_a_sequence():
    x = torch.ones(1)
    assert torch.return_types.max([x, x]).indices is x and torch.return_types.max(iter((x, x))).values is x
    with pytest.raises(TypeError, match=r"torch.return_types.max\(\) takes a 2-sequence \(3-sequence given\)"):
        torch.return_types.max([x, x, x])
    with pytest.raises(TypeError, match="constructor requires a sequence"):
        torch.return_types.max(3)


@pytest.mark.parametrize("call", namespaces.CALLS)
def test_a_window_is_that_of_torch_s_with_its_rows_and_errors(call):
    ours, theirs = namespaces.outcome(torch, call), dict(RECORDED["calls"][call])
    assert ours.pop("values", []) == pytest.approx(theirs.pop("values", []), rel=1e-5, abs=1e-6)
    assert ours == theirs
