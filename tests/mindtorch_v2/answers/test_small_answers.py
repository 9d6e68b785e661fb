"""Small modules that libraries touch: each answers truthfully, or does what torch's does."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest

import mindtorch_v2 as torch


def test_a_future_gives_its_result_to_all_who_wait():
    future = torch.futures.Future()
    doubled, seen = future.then(lambda f: f.wait() * 2), []
    future.add_done_callback(lambda f: seen.append(f.value()))
    assert not future.done()
    future.set_result(4)
    assert (doubled.wait(), seen, torch.futures.wait_all([future, doubled])) == (8, [4], [4, 8])
    with pytest.raises(RuntimeError, match="Attempting to mark a completed Future as complete again"):
        future.set_result(5)


def test_an_error_in_a_future_is_raised_to_who_waits():
    future = torch.futures.Future()
    future.set_exception(KeyError("lost"))
    with pytest.raises(KeyError, match="lost"):
        future.wait()
    with pytest.raises(KeyError, match="lost"):
        torch.futures.collect_all([torch.futures.Future(), future]).wait()
    with pytest.raises(RuntimeError, match="^Got the following error when running the callback: KeyError: 'lost'"):
        future.then(lambda f: f.wait()).wait()
    with pytest.raises(AssertionError, match="not an Exception"):
        torch.futures.Future().set_exception("text")


def test_determinism_is_a_wish_that_is_kept():
    try:
        torch.use_deterministic_algorithms(True, warn_only=True)
        assert torch.are_deterministic_algorithms_enabled() and torch.is_deterministic_algorithms_warn_only_enabled()
        torch.set_deterministic_debug_mode("error")
        assert torch.get_deterministic_debug_mode() == 2
    finally:
        torch.use_deterministic_algorithms(False)
    for mode, text in [("x", "expected one of `default`, `warn`, `error`, but got x"), (7, "expected 0, 1, or 2")]:
        with pytest.raises(RuntimeError, match=text):
            torch.set_deterministic_debug_mode(mode)


def test_the_precision_of_products_is_a_wish_that_is_kept():
    matmul = torch.backends.cuda.matmul
    try:
        matmul.allow_tf32 = True
        assert torch.get_float32_matmul_precision() == "high"
        torch.set_float32_matmul_precision("medium")
        assert matmul.allow_tf32
    finally:
        torch.set_float32_matmul_precision("highest")
    with pytest.raises(AttributeError, match="Unknown attribute nope"):
        matmul.nope = 1


def test_settings_of_cudnn_last_as_long_as_their_block():
    cudnn = torch.backends.cudnn
    with cudnn.flags(enabled=False, benchmark=True):
        assert (cudnn.enabled, cudnn.benchmark) == (False, True)
    assert (cudnn.enabled, cudnn.benchmark) == (True, False)


@pytest.mark.parametrize(("make", "text"), [
    (lambda: torch.cuda.Stream(), "torch.cuda.Stream requires CUDA support"),
    (lambda: torch.cuda.Event(), "Tried to instantiate dummy base class Event"),
    (lambda: torch.cuda.CUDAGraph(), "Tried to instantiate dummy base class CUDAGraph"),
    (lambda: torch.cuda.graph(None), "torch.cuda.Stream requires CUDA support"),
    (lambda: torch.cuda.device(0).__enter__(), "PyTorch was compiled without CUDA support"),
    (lambda: torch.cuda.nvtx.range_push("a"), "NVTX functions not installed. Are you sure you have a CUDA build?"),
])
def test_what_needs_a_device_cannot_be_made(make, text):
    with pytest.raises(RuntimeError) as caught:
        make()
    assert str(caught.value) == text


def test_blocks_on_no_stream_and_no_device_do_nothing():
    with torch.cuda.stream(None), torch.cuda.device(-1), torch.cuda.device_of(torch.ones(1)):
        assert torch.cuda.get_rng_state_all() == [] and torch.cuda.is_current_stream_capturing() is False


def test_failed_checks_raise_what_they_are_told():
    torch._assert(True, "fine"), torch._check(True)
    with pytest.raises(AssertionError, match="wrong"):
        torch._assert(torch.tensor(False), "wrong")
    with pytest.raises(ValueError, match="too small"):
        torch._check_value(False, lambda: "too small")


def test_named_results_have_classes_that_pickle():
    result = torch.max(torch.tensor([[1., 2.]]), 1)
    assert type(result) is torch.return_types.max and torch.utils._pytree.is_structseq_instance(result)
    assert type(pickle.loads(pickle.dumps(result))) is torch.return_types.max
    assert torch.utils._pytree.tree_map(lambda x: x + 1, result).values.tolist() == [3]


def test_a_dict_by_identity_forgets_with_its_keys():
    key, other = torch.ones(2), torch.ones(2)
    entries = torch.utils.weak.WeakIdKeyDictionary({key: 1})
    assert key in entries and other not in entries and entries[key] == 1 and copy.copy(entries)[key] == 1
    reference = torch.utils.weak.TensorWeakRef(key)
    del key
    gc.collect()
    assert len(entries) == 0 and reference() is None


def test_dlpack_goes_both_ways():
    x = torch.arange(3.)
    again = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))
    again[0] = 5
    assert x[0] == 5 and torch.utils.dlpack.DLDeviceType.kDLCPU == 1


def test_blocks_decorate_functions_and_generators():
    log = []

    class block(torch.utils._contextlib._DecoratorContextManager):  # noqa: N801
        def __enter__(self):
            log.append("in")

        def __exit__(self, *error):
            log.append("out")

    @block()
    def counts():
        log.append((yield 1))

    @block()
    def adds(x):
        return x + 1

    generator = counts()
    assert next(generator) == 1 and log == ["in", "out"]
    with pytest.raises(StopIteration):
        generator.send("sent")
    assert log == ["in", "out", "in", "sent", "out"] and adds(1) == 2


def test_stubs_for_quantization_do_nothing():
    x = torch.ones(2)
    assert torch.ao.quantization.DeQuantStub()(torch.ao.quantization.QuantStub()(x)) is x


def test_libraries_may_say_how_ops_would_be_exported():
    @torch.onnx.symbolic_helper.parse_args("v", "i")
    def symbolic(g, x, n):
        return x
    torch.onnx.register_custom_op_symbolic("mine::op", symbolic, 11)
    assert torch.onnx.is_in_onnx_export() is False
    with pytest.raises(RuntimeError, match="torch.onnx.export is not in mindtorch_v2"):
        torch.onnx.export(None)


def test_a_fake_function_may_come_before_its_op():
    @torch.library.register_fake("answers::twice")
    def fake(x):
        return torch.empty_like(x)
    torch.library.define("answers::twice", "(Tensor x) -> Tensor")
    assert torch.ops.answers.twice(torch.ones(3, device="meta")).shape == (3,)


def test_names_of_torchs_core_are_there():
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
    assert keys.has(torch._C.DispatchKey.CPU) and not keys.has(torch._C.DispatchKey.AutogradCPU)
    assert isinstance(torch.Tensor, torch._C._TensorMeta) and torch._C._log_api_usage_once("x") is None
    assert torch._C._nn._parse_to("cpu", torch.float64)[:2] == (torch.device("cpu"), torch.float64)
    assert torch._tensor_str._tensor_str(torch.ones(2), 0) == "[1., 1.]" and torch._tensor_str.PRINT_OPTS.precision == 4


def test_nothing_is_compiled_with_triton():
    from mindtorch_v2.utils import _triton
    assert not _triton.has_triton() and not _triton.has_triton_package() and not _triton.has_triton_tma()


def test_dynamo_warns_once_about_the_same():
    with pytest.warns(UserWarning, match="said once") as told:
        for _ in range(2):
            torch._dynamo.utils.warn_once("said once")
    assert len(told) == 1 and told[0].filename == __file__


def test_a_tensor_of_conditions_is_checked():
    torch._check_tensor_all(torch.tensor([True, True]))
    with pytest.raises(RuntimeError, match="^not all$"):
        torch._check_tensor_all(torch.tensor([True, False]), lambda: "not all")
    with pytest.raises(TypeError, match="cond tensor must have dtype torch.bool, but got torch.int64"):
        torch._check_tensor_all_with(ValueError, torch.tensor([1]))


def test_text_may_stand_in_the_place_of_values():
    x = torch.ones(2, dtype=torch.int32)
    assert torch._tensor_str._str_intern(x, tensor_contents="EdgeIndex") == "tensor(EdgeIndex, dtype=torch.int32)"


@pytest.mark.parametrize(("facts", "alone", "text"), [
    (["a=3", "b=4"], False, "I([1], a=3, b=4)"), (["a=3", "b=4"], True, "I([1],\n  a=3, b=4)"), ([], True, "I([1])"),
    (["a" * 50, "b" * 40], False, f"I([1], {'a' * 50},\n  {'b' * 40})")])
def test_facts_are_appended_to_the_text_of_a_tensor(facts, alone, text):
    assert torch._tensor_str._add_suffixes("I([1]", facts, 2, alone) == text


@pytest.mark.parametrize(("dtype", "short"), [("float32", "f32"), ("bfloat16", "bf16"), ("int64", "i64"),
                                              ("bool", "b8"), ("uint16", "u16"), ("complex64", "c64"), ("int4", "int4"),
                                              ("float8_e4m3fn", "f8e4m3fn"), ("bits1x8", "b1x8")])
def test_types_have_short_names(dtype, short):
    assert getattr(torch, dtype).abbr == short


def test_a_mode_is_cloned():
    mode = torch.inference_mode(False).clone()
    assert type(mode) is torch.inference_mode and mode.mode is False


@pytest.mark.parametrize("ask", ["get_offset", "graphsafe_get_state"])
def test_a_generator_of_the_cpu_has_no_offset(ask):
    with pytest.raises((RuntimeError, NotImplementedError), match="CPU Generator does not use offset|is not supported"):
        getattr(torch.Generator(), ask)()
