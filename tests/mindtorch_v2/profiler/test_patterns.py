"""Patterns on small programs: what matches, what is said, and which line is named."""

from __future__ import annotations

import inspect
import json
from types import SimpleNamespace

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import _pattern_matcher as patterns
from mindtorch_v2.profiler import profile

from .replayed_memory import Replay


def recorded(run, **options):
    with profile(**{"record_shapes": True, "with_stack": True, **options}) as prof:
        run()
    return prof


def matches(kind, run, *args, **options) -> int:
    return len(kind(recorded(run, **options), *args).matched_events())


def network():
    model = torch.nn.Linear(3, 2)
    model(torch.ones(1, 3)).sum().backward()
    return model


@pytest.mark.parametrize("times, expected", [(9, 0), (10, 1), (30, 1)])
def test_a_loop_over_rows_is_found_from_ten_on(times, expected):
    x = torch.ones(100, 10)

    def run():
        for i in range(times):
            x[i]

    assert matches(patterns.ForLoopIndexingPattern, run) == expected


def test_a_loop_over_rows_may_do_something_with_them():
    x = torch.ones(100, 10)

    def run():
        for i in range(20):
            x[i].add_(1.0)

    assert matches(patterns.ForLoopIndexingPattern, run) == 1


def test_other_loops_are_fine():
    def run():
        for _ in range(20):
            torch.zeros(3).add_(1.0)

    assert matches(patterns.ForLoopIndexingPattern, run) == 0


@pytest.mark.parametrize("zero, expected", [
    (lambda model, optimizer: optimizer.zero_grad(), 0),
    (lambda model, optimizer: optimizer.zero_grad(set_to_none=False), 1),
    (lambda model, optimizer: model.zero_grad(set_to_none=False), 1),
    (lambda model, optimizer: [p.grad.zero_() for p in model.parameters()], 0)])
def test_gradients_set_to_zero(zero, expected):
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    assert matches(patterns.GradNotSetToNonePattern, lambda: zero(model, optimizer)) == expected


@pytest.mark.parametrize("kind, foreach, expected", [
    (torch.optim.Adam, None, 1), (torch.optim.Adam, True, 0), (torch.optim.AdamW, False, 1), (torch.optim.SGD, None, 1),
    (torch.optim.SGD, True, 0), (torch.optim.RMSprop, False, 0)])
def test_optimizer_that_goes_tensor_by_tensor(kind, foreach, expected):
    optimizer = kind(network().parameters(), lr=0.1, foreach=foreach)
    assert matches(patterns.OptimizerSingleTensorPattern, optimizer.step) == expected


def test_data_loaded_in_the_training_process():
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(4, 3)))
    assert matches(patterns.SynchronizedDataLoaderPattern, lambda: list(loader)) == 1


def test_data_loaded_by_workers_is_no_such_habit():
    data = torch.utils.data.TensorDataset(torch.ones(4, 3))
    loader = torch.utils.data.DataLoader(data, num_workers=1, persistent_workers=True)
    assert matches(patterns.SynchronizedDataLoaderPattern, lambda: [list(loader), list(loader)]) == 0


def call(name: str, start: int, fields: dict, *children) -> list:
    return [name, start, 10 if children else 5, fields, list(children)]


def convolution(bias, following: str) -> SimpleNamespace:
    """A profile in which a convolution is followed by another module."""
    tensor = {"tensor": [16, 32, [1], [1], "float32", 0, 1]}
    op = {"scope": 0, "inputs": [tensor, tensor, tensor if bias else None]}
    tree = [call("nn.Module: Conv2d_0", 0, {"module": [1, "Conv2d", []]}, call("aten::conv2d", 2, op)),
            call(f"nn.Module: {following}", 20, {"module": [2, following, []]})]
    profiler = SimpleNamespace(kineto_results=Replay({"tree": tree, "start_ns": 0}).result())
    return SimpleNamespace(profiler=profiler, record_shapes=True, with_stack=True)


@pytest.mark.parametrize("bias, following, expected", [
    (True, "BatchNorm2d_0", 1), (False, "BatchNorm2d_0", 0), (True, "ReLU_0", 0)])
def test_bias_that_a_normalisation_takes_away(bias, following, expected):
    pattern = patterns.Conv2dBiasFollowedByBatchNorm2dPattern(convolution(bias, following))
    assert len(pattern.matched_events()) == expected


def test_half_precision_products_of_odd_sizes():
    odd, even = torch.ones(5, 5, dtype=torch.bfloat16), torch.ones(8, 16, dtype=torch.bfloat16)
    kind = patterns.MatMulDimInFP16Pattern
    assert matches(kind, lambda: odd @ odd) == 1
    assert matches(kind, lambda: even @ even.t()) == 0
    assert matches(kind, lambda: odd.float() @ odd.float()) == 0
    assert kind(recorded(lambda: odd @ odd, with_stack=False)).skip


@pytest.mark.parametrize("kind", [patterns.FP32MatMulPattern, patterns.ExtraCUDACopyPattern])
def test_advice_about_a_gpu_is_not_given_where_there_is_none(kind):
    """torch tells users of a processor to switch on TF32."""
    assert matches(kind, lambda: torch.ones(5, 5) @ torch.ones(5, 5)) == 0


def test_names_are_matched_as_regular_expressions():
    prof = recorded(network)
    pattern = patterns.NamePattern(prof, "aten::mm|aten::addmm")
    assert [e.name for e in pattern.matched_events()] == ["aten::addmm", "aten::mm"]
    assert pattern.description == "Matched Name Event: aten::mm|aten::addmm"


def test_ways_through_the_tree():
    pattern = patterns.NamePattern(recorded(network), "aten::addmm")
    (event,) = pattern.matched_events()
    before, after = pattern.siblings_of(event)
    assert [e.name for e in before] == ["aten::t"] and after == []
    assert pattern.prev_of(event).name == "aten::t" and pattern.next_of(event) is None
    assert pattern.go_up_until(event, lambda e: e.name.startswith("nn.Module")).name == "nn.Module: Linear_0"
    assert pattern.go_up_until(event, lambda e: False) is pattern.root_of(event)
    assert patterns.input_shapes(event) == ((2,), (1, 3), (3, 2), (), ())
    assert patterns.input_dtypes(event) == (torch.float32,) * 3 + (None, None)


def test_pattern_must_say_what_it_matches():
    with pytest.raises(NotImplementedError):
        patterns.Pattern(recorded(network)).matched_events()


def test_report_names_the_line_and_is_written_beside_what_is_there(tmp_path, capsys):
    optimizer = torch.optim.SGD(network().parameters(), lr=0.1)

    def run():
        optimizer.zero_grad(set_to_none=False)

    line = inspect.getsourcelines(run)[1] + 1
    path = tmp_path / "torchtidy_report.json"
    path.write_text('{"other.py": []}')
    patterns.report_all_anti_patterns(recorded(run), json_report_dir=str(tmp_path))
    report = json.loads(path.read_text())
    assert report.pop("other.py") == []
    ((file, (entry,)),) = report.items()
    assert entry["line_number"] == line and entry["name"] == "Gradient Set To Zero Instead of None Pattern"
    assert capsys.readouterr().out.splitlines() == [
        "-" * 40 + "TorchTidy Report" + "-" * 40, "Matched Events:", entry["message"],
        f"[Source Code Location] {file}:{line}", "Summary:",
        "Gradient Set To Zero Instead of None Pattern: 1 events matched.",
        "-" * 40 + "TorchTidy Report" + "-" * 40]


def test_report_with_benchmarks_counts_what_it_finds(capsys):
    odd = torch.ones(5, 5, dtype=torch.bfloat16)
    patterns.report_all_anti_patterns(recorded(lambda: odd @ odd), should_benchmark=True)
    assert "Matrix Multiplication Dimension Not Aligned Pattern: 1 events matched." in capsys.readouterr().out


def test_report_can_be_silent(capsys):
    patterns.report_all_anti_patterns(recorded(network), print_enable=False)
    assert capsys.readouterr().out == ""
