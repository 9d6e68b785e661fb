"""Names that large libraries touch when they are imported: each answers as PyTorch's where nothing is to be done."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import distributed as dist


def test_a_library_that_patches_torch_by_name_finds_it_under_that_name():
    source = "import mindtorch_v2; mindtorch_v2.install_as_torch(); import torch; print(torch.__name__, torch.nn.ReLU)"
    printed = subprocess.check_output([sys.executable, "-c", source], text=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert printed.startswith("torch ")


def test_streams_and_events_of_the_cpu_are_always_done():
    stream, event = torch.Stream(), torch.Event(enable_timing=True)
    assert stream.query() and event.query() and stream == torch.Stream(device="cpu")
    assert repr(stream) == "torch.Stream device_type=cpu, device_index=-1, stream_id=0"
    with stream:
        stream.wait_event(event)
    with pytest.raises(RuntimeError, match="cpu backend doesn't support events."):
        event.record()
    with pytest.raises(RuntimeError, match="PyTorch is not linked with support for cuda devices"):
        torch.Stream(device="cuda")


def test_a_schema_may_say_that_an_argument_is_written_without_a_letter():
    library = torch.library.Library("probes", "DEF")
    library.define("fill(Tensor x, Tensor! out) -> ()")
    library.impl("fill", lambda x, out: out.copy_(x), "CPU")
    out = torch.zeros(2)
    torch.ops.probes.fill(torch.ones(2), out)
    assert out.tolist() == [1, 1]


def test_tensors_are_flattened_into_one_and_back():
    tensors = [torch.ones(2), torch.zeros(2, 2)]
    flat = torch._utils._flatten_dense_tensors(tensors)
    assert flat.tolist() == [1, 1, 0, 0, 0, 0]
    parts = torch._utils._unflatten_dense_tensors(flat, tensors)
    assert [part.shape for part in parts] == [tensor.shape for tensor in tensors]


def test_types_of_torchscript_are_words():
    assert repr(torch.TensorType.get()) == "Tensor" and torch.TensorType.get() is torch.TensorType.get()
    assert repr(torch.NumberType.get()) == "number"


def test_a_class_that_no_library_registered_is_named():
    with pytest.raises(RuntimeError, match="Tried to instantiate class 'sentencepiece.Model', but it does not exist!"):
        _ = torch.classes.sentencepiece.Model


def test_authors_of_optimizers_find_what_they_take_from_torch():
    from mindtorch_v2.optim.optimizer import _default_to_fused_or_foreach, _view_as_real
    params = [torch.nn.Parameter(torch.ones(2))]
    assert _default_to_fused_or_foreach(params, differentiable=False, use_fused=True) == (True, False)
    groups = torch.optim.Optimizer._group_tensors_by_device_and_dtype([params, [torch.zeros(2)]], with_indices=True)
    assert list(groups) == [(torch.device("cpu"), torch.float32)] and list(groups.values())[0][1] == [0]
    complex_params = [torch.ones(2, dtype=torch.complex64)]
    _view_as_real(complex_params)
    assert complex_params[0].shape == (2, 2)


@pytest.fixture
def group():
    dist.init_process_group("gloo", init_method="file:///nowhere", world_size=1, rank=0)
    yield
    dist.destroy_process_group()


def test_gradients_go_through_what_one_process_does_together(group):
    x = torch.ones(2, requires_grad=True)
    (dist.nn.all_reduce(x) + dist.nn.all_gather(x)[0]).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_an_optimizer_whose_state_one_process_keeps_steps_as_the_other(group):
    from mindtorch_v2.distributed.optim import ZeroRedundancyOptimizer
    weights = [torch.nn.Parameter(torch.ones(2)) for _ in range(2)]
    divided = ZeroRedundancyOptimizer(weights[:1], optimizer_class=torch.optim.Adam, lr=0.1)
    whole = torch.optim.Adam(weights[1:], lr=0.1)
    for _ in range(2):
        for weight, optimizer in zip(weights, (divided, whole)):
            (weight ** 2).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
    assert weights[0].tolist() == weights[1].tolist()
    divided.load_state_dict(divided.state_dict())
    assert divided.param_groups[0]["lr"] == 0.1


def test_a_property_that_cannot_be_read_yet_leaves_its_name_free():
    class Ball(torch.nn.Module):
        k = property(lambda self: -self.c)

        def __init__(self):
            super().__init__()
            self.register_parameter("k", torch.nn.Parameter(torch.ones(1)))

    assert "k" in Ball()._parameters


def test_tensors_of_many_processes_are_a_class_and_nothing_else():
    from mindtorch_v2.distributed.tensor import DTensor, Shard, distribute_tensor
    assert not isinstance(torch.ones(1), DTensor) and Shard(1) == Shard(1)
    with pytest.raises(RuntimeError, match="no tensors that are divided"):
        distribute_tensor(torch.ones(1))


def test_a_scan_combines_all_slices_up_to_each():
    from mindtorch_v2._higher_order_ops.associative_scan import associative_scan
    x = torch.arange(1.0, 7).view(2, 3)
    assert torch.equal(associative_scan(lambda a, b: a + b, x, 1), x.cumsum(1))
    assert torch.equal(associative_scan(lambda a, b: a * b, x, 0, reverse=True), x.flip(0).cumprod(0).flip(0))

    def combine(a, b):
        return a[0] * b[0], b[0] * a[1] + b[1]

    gates, values = torch.rand(2, 4), torch.rand(2, 4)
    state, expected = torch.zeros(2), []
    for i in range(4):
        state = gates[:, i] * state + values[:, i]
        expected.append(state)
    assert torch.allclose(associative_scan(combine, (gates, values), 1)[1], torch.stack(expected, 1))


def test_a_module_is_found_at_torch_s_address_where_ours_is_another():
    source = ("import mindtorch_v2; mindtorch_v2.install_as_torch(); from torch.autograd.anomaly_mode import "
              "detect_anomaly; from torch.optim._adafactor import Adafactor; from torch.utils.benchmark.utils.common "
              "import Measurement; print(detect_anomaly.__name__, Adafactor.__name__, Measurement.__name__)")
    printed = subprocess.check_output([sys.executable, "-c", source], text=True, env={"PYTHONPATH": ":".join(sys.path)})
    assert printed.split() == ["detect_anomaly", "Adafactor", "Measurement"]


def test_settings_of_divided_modules_can_be_written_down():
    from mindtorch_v2.distributed import fsdp
    settings = fsdp.MixedPrecision(param_dtype=torch.bfloat16)
    assert settings.reduce_dtype is None and settings.cast_root_forward_inputs
    assert fsdp.ShardingStrategy["FULL_SHARD"].value == 1 and fsdp.FullStateDictConfig().rank0_only is False
    with pytest.raises(RuntimeError, match="no groups of several processes"):
        fsdp.FullyShardedDataParallel(torch.nn.Linear(2, 2), mixed_precision=settings)


def test_switches_of_compilers_that_are_not_here_are_kept_and_told():
    assert torch._C._jit_set_profiling_executor(False) is True
    assert torch._C._jit_set_profiling_executor(True) is False
    assert torch._C._jit_override_can_fuse_on_cpu(True) is None and torch._C._jit_can_fuse_on_cpu() is True
    torch._C._jit_override_can_fuse_on_cpu(False)
    assert torch._inductor.config.triton.unique_kernel_names is True
    assert torch._disable_dynamo(len) is len and torch._disable_dynamo(recursive=False)(len) is len


def test_a_range_for_nvidias_profiler_is_refused_when_it_begins():
    @torch.cuda.nvtx.range("step {}", 1)
    def step() -> None:
        pass
    with pytest.raises(RuntimeError, match="NVTX functions not installed"):
        step()


def test_no_value_is_in_another_process():
    rpc = torch._C._distributed_rpc
    assert not isinstance(torch.ones(1), rpc.PyRRef) and not rpc._is_current_rpc_agent_set()
    with pytest.raises(RuntimeError, match="no calls between processes"):
        rpc.PyRRef(1)


def test_plain_tensors_need_no_replication():
    from mindtorch_v2.distributed._tensor.experimental import implicit_replication
    with implicit_replication():
        assert torch.ones(2).sum().item() == 2


def test_nothing_is_exported_but_sizes_can_be_named():
    export = torch.export
    assert repr(export.dims("a", "b")) == "(Dim('a', min=0), Dim('b', min=0))"
    assert repr(export.Dim.AUTO) == "DimHint(AUTO)"
    with pytest.raises(AssertionError, match="Cannot create Dim with inconsistent min=4, max=2"):
        export.Dim("b", min=4, max=2)
    with pytest.raises(NotImplementedError, match="exports no programs"):
        export.export(torch.nn.ReLU(), (torch.ones(1),))


def test_a_divided_modules_settings_are_plain_data():
    from mindtorch_v2.distributed._composable import fsdp
    assert repr(fsdp.MixedPrecisionPolicy(param_dtype=torch.bfloat16)) == (
        "MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=None, output_dtype=None, "
        "cast_forward_inputs=True)")
    assert isinstance(fsdp.CPUOffloadPolicy(), fsdp.OffloadPolicy) and fsdp.CPUOffloadPolicy().pin_memory


CLASSES = """
import mindtorch_v2; mindtorch_v2.install_as_torch()
import pickle, typing, torch
for value in (torch.ones(1), torch.float32, torch.device("cpu"), torch.nn.ReLU(), torch.distributions.Normal(0, 1)):
    print(type(value))
    typing.get_type_hints(type(value))
    assert pickle.loads(pickle.dumps(type(value))) is type(value)
assert torch._guards.active_fake_mode() is torch._guards.detect_fake_mode([torch.ones(1)]) is None
"""


def test_a_program_knows_classes_by_their_module():
    path = {"PYTHONPATH": ":".join(sys.path)}
    printed = subprocess.check_output([sys.executable, "-c", CLASSES], text=True, env=path)
    assert printed.splitlines() == [f"<class 'torch.{name}'>" for name in (
        "Tensor", "dtype", "device", "nn.modules.activation.ReLU", "distributions.normal.Normal")]


@pytest.mark.skipif(not torch.core.fields.IS_COMPILED, reason="fields stand among users' attributes")
def test_tensors_may_share_the_attributes_that_users_set():
    x, y = torch.ones(2), torch.zeros(2)
    x.note = 1
    y.__dict__ = x.__dict__
    y.other = 2
    assert vars(x) == {"note": 1, "other": 2} and y.tolist() == [0, 0]
    with pytest.raises(TypeError, match="__dict__ must be set to a dictionary, not a 'int'"):
        y.__dict__ = 3


def test_an_older_name_of_transposed_convolutions_says_so():
    from mindtorch_v2.nn.modules.conv import _ConvTransposeMixin
    sizes = 1, 1, (2,), (1,), (0,), (1,), True, (0,), 1, True, "zeros"
    with pytest.warns(FutureWarning, match="`_ConvTransposeMixin` is a deprecated internal class."):
        assert _ConvTransposeMixin(*sizes).weight.shape == (1, 1, 2)


def test_tensors_are_taken_together_by_type_up_to_a_size():
    tensors = [torch.ones(2), torch.ones(3, dtype=torch.float64), torch.ones(1), torch.ones(2)]
    taken = [[len(tensor) for tensor in group] for group in torch._utils._take_tensors(tensors, 12)]
    assert taken == [[2, 1], [2], [3]]


def test_libraries_ask_where_torch_computes_and_whether_values_are_hidden():
    assert torch._C._get_accelerator() == torch.device("cpu")
    assert torch._C._are_functorch_transforms_active() is False
    seen = []
    torch.func.vmap(lambda x: (seen.append(torch._C._are_functorch_transforms_active()), x)[1])(torch.ones(2))
    assert seen == [True]


def test_a_profiler_for_cuda_is_refused_when_it_begins():
    block = torch.cuda.profiler.profile()
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"), block:
        pass


def test_functions_may_be_marked_for_those_who_extend_fx():
    from mindtorch_v2.fx._symbolic_trace import compatibility
    assert compatibility(is_backward_compatible=True)(len) is len


def test_a_block_without_fake_tensors_changes_nothing():
    from mindtorch_v2._subclasses.fake_tensor import unset_fake_temporarily
    with unset_fake_temporarily() as mode:
        assert mode is None and torch.ones(2).sum().item() == 2


def test_an_op_of_kernels_for_gpus_may_have_one_for_the_cpu():
    library = torch.library.Library("probes", "FRAGMENT")

    @torch.library.triton_op("probes::doubled", mutates_args=())
    def doubled(x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("no GPU")

    library.impl("doubled", lambda x: x * 2, "CPU")
    assert torch.ops.probes.doubled(torch.ones(2)).tolist() == [2, 2]
