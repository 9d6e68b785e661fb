"""Findings: each habit is named, with counts, times and places; a program without it is not blamed."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, schedule
from mindtorch_v2.profiler.views.digest import Digest
from mindtorch_v2.profiler.views.findings.catalogue import findings
from mindtorch_v2.profiler.views.findings.training import ACCUMULATES

from .tables import PYTHON, RANGE, Row, digest, tensor, training_step

TWO_STEPS = [*training_step(0, "ProfilerStep#0"), *training_step(2000, "ProfilerStep#1")]


def found(rows, **options):
    return {finding.kind: finding for finding in findings(digest(rows, **options))}


def test_steps_that_wait_for_data_are_told_with_their_share():
    finding = found(TWO_STEPS)["data loading on the critical path"]
    assert finding.time_ns == 200
    assert finding.evidence == ["200 ns in 2 steps: 10.0 % of the time of all steps",
                                "longest wait in a step 100 ns, median 100 ns"]


def test_values_read_in_every_step_are_counted_with_their_place():
    rows = [Row("train.py(7): train", 0, 4000, PYTHON), *TWO_STEPS,
            Row("aten::item", 950, 960), Row("aten::item", 2950, 2970)]
    rows.sort(key=lambda row: (row.start_ns, -row.end_ns))
    finding = found(rows)["values read in the loop"]
    assert finding.title == ".item() is called in every step"
    assert finding.evidence == ["2 times in 2 steps (1 per step), 30 ns in all", "2 × in train.py(7): train"]
    assert finding.time_ns == 30


def test_the_line_is_told_where_a_function_was_called_in_it():
    rows = [Row("train.py(7): train", 0, 4000, PYTHON),
            *(Row("mindtorch_v2/nn/loss.py(3): forward", start, start + 60, PYTHON, -2 - 12) for start in (940, 2940)),
            *TWO_STEPS, Row("aten::item", 950, 960), Row("aten::item", 2950, 2970)]
    rows.sort(key=lambda row: (row.start_ns, -row.end_ns))
    assert found(rows)["values read in the loop"].evidence[-1] == "2 × in train.py:12 (train)"


def test_a_value_read_once_is_not_blamed():
    assert "values read in the loop" not in found([*TWO_STEPS, Row("aten::item", 3100, 3110)])


def test_a_python_loop_of_tiny_ops_is_found_with_its_body_and_turns():
    loop = [row for turn in range(12) for row in
            (Row("aten::select", 100 * turn, 100 * turn + 10), Row("aten::add", 100 * turn + 20, 100 * turn + 50))]
    finding = found(loop)["tiny ops in a Python loop"]
    assert finding.title == "A Python loop calls aten::select, aten::add 12 times"
    assert finding.time_ns == 11 * 100 + 50


def test_a_loop_over_batches_whose_ops_are_large_is_not_blamed():
    loop = [row for begin in range(0, 12 * 10**6, 10**6) for row in
            (Row("aten::slice", begin, begin + 10), Row("aten::add", begin + 20, begin + 900_000))]
    assert "tiny ops in a Python loop" not in found(loop)


def test_a_loop_of_ours_is_not_blamed_on_the_user():
    casts = [Row("aten::to", 100 * turn, 100 * turn + 10) for turn in range(12)]
    assert "tiny ops in a Python loop" not in found(casts)
    ops = [Row("aten::mul_", 100 * turn, 100 * turn + 10) for turn in range(12)]
    for ours, is_blamed in (("mindtorch_v2/nn/utils/clip_grad.py(56): clip_grad_norm_", False),
                            ("mindtorch_v2/nn/modules/linear.py(56): forward", True)):
        rows = [Row("train.py(7): train", 0, 4000, PYTHON), Row(ours, 0, 3000, PYTHON), *ops]
        assert ("tiny ops in a Python loop" in found(rows)) == is_blamed


def test_layers_that_a_model_goes_through_are_no_loop():
    layers = [Row("aten::linear", 100 * place, 100 * place + 10) for place in range(12)]
    words = [f"Linear {place} Sequential {place}" for place in range(12)]
    assert "tiny ops in a Python loop" not in found(layers)
    assert "tiny ops in a Python loop" not in found(
        layers, modules=[(100 * place, 100 * place + 20, word) for place, word in enumerate(words)])
    assert "tiny ops in a Python loop" in found(
        layers, modules=[(100 * place, 100 * place + 20, words[0]) for place in range(12)])


def test_a_loop_over_a_recurrent_cell_is_told_what_takes_the_whole_sequence():
    cells = [Row("aten::lstm_cell", 100 * turn, 100 * turn + 10) for turn in range(12)]
    assert "nn.LSTM" in found(cells)["tiny ops in a Python loop"].advice


def test_copies_that_other_ops_make_are_not_the_program_s():
    assert "copies from non-contiguous" not in found([
        Row("aten::conv2d", 0, 100), Row("aten::contiguous", 5, 95), Row("aten::clone", 10, 90)])


def test_a_few_turns_are_no_loop():
    loop = [Row("aten::select", 100 * turn, 100 * turn + 10) for turn in range(9)]
    assert "tiny ops in a Python loop" not in found(loop)


def test_the_training_loop_itself_is_no_loop_of_tiny_ops():
    rows = [row for step in range(12) for row in (
        Row(f"ProfilerStep#{step}", 100 * step, 100 * step + 90, RANGE),
        Row("aten::select", 100 * step + 10, 100 * step + 20), Row("aten::add", 100 * step + 30, 100 * step + 50))]
    assert "tiny ops in a Python loop" not in found(rows)


def test_gradients_filled_with_zeros_are_found_in_zero_grad_only():
    finding = found([Row("Optimizer.zero_grad#SGD.zero_grad", 0, 100, RANGE), Row("aten::zero_", 10, 20),
                     Row("aten::zero_", 30, 40), Row("aten::zero_", 200, 210)])["gradients zeroed"]
    assert finding.evidence == ["2 fills in 1 call of zero_grad, 100 ns in all"]


def test_gradients_that_a_module_fills_with_zeros_are_found_by_their_stack():
    finding = found([Row("train.py(1): train", 0, 300, PYTHON),
                     Row("mindtorch_v2/nn/modules/module.py(9): zero_grad", 0, 100, PYTHON, sequence=-2 - 5),
                     Row("aten::zero_", 10, 20), Row("aten::zero_", 200, 210)])["gradients zeroed"]
    assert finding.evidence == ["1 fill in 1 call of zero_grad, 100 ns in all", "1 × in train.py:5 (train)"]


def test_gradients_that_are_never_cleared_are_told():
    def steps(write: str) -> list[Row]:
        return [row for begin in (0, 100, 200) for row in (
            Row(ACCUMULATES, begin, begin + 10), Row(write, begin + 1, begin + 9),
            Row("Optimizer.step#SGD.step", begin + 20, begin + 30, RANGE))]

    assert found(steps("aten::add_"))["gradients never cleared"].evidence == [
        "2 steps after the first: each adds to the gradients before it"]
    assert "gradients never cleared" not in found(steps("aten::detach"))
    cleared = [*steps("aten::add_"), Row("Optimizer.zero_grad#SGD.zero_grad", 240, 250, RANGE)]
    assert "gradients never cleared" not in found(cleared)


def test_an_optimizer_that_goes_parameter_by_parameter_is_told_from_one_with_lists_and_a_fused_one():
    def kinds(op):
        rows = [Row("aten::mm", 0, 10), Row("Optimizer.step#AdamW.step", 10, 100, RANGE), Row(op, 20, 90)]
        return {kind for kind in found(rows) if kind.startswith("optimizer")}

    assert kinds("aten::add_") == {"optimizer in a loop"}
    assert kinds("aten::_foreach_add_") == {"optimizer without fused"}
    assert kinds("aten::_fused_adamw_") == set()


def test_what_follows_a_step_that_a_hook_of_the_optimizer_begins_is_not_the_optimizer_s():
    parameter = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    with profile(schedule=schedule(wait=0, warmup=1, active=3, repeat=1)) as prof:
        optimizer.register_step_post_hook(lambda *_: prof.step())
        for _ in range(4):
            optimizer.zero_grad()
            torch._foreach_add([parameter], 1)[0].sum().backward()
            optimizer.step()
    kinds = {finding.kind: finding for finding in findings(Digest(prof.profiler._recordings.table()))}
    assert "optimizer without fused" not in kinds
    assert kinds["optimizer in a loop"].evidence[0].startswith("1 op in each of ")


def test_copies_of_views_that_do_not_lie_in_a_row_are_found():
    finding = found([Row("aten::contiguous", 0, 100), Row("aten::clone", 10, 90), Row("aten::copy_", 20, 80)])[
        "copies from non-contiguous"]
    assert finding.time_ns == 80


def test_float64_is_told_where_float32_is_the_rule():
    rows = [Row("aten::mm", 10 * n, 10 * n + 5, inputs=(tensor(2, 3),)) for n in range(5)]
    double = Row("aten::add", 100, 120, inputs=(tensor(2, 3, dtype="float64"),))
    assert found([*rows, double])["float64 by accident"].time_ns == 20
    assert "float64 by accident" not in found(rows)
    assert "float64 by accident" not in found([double])
    assert "float64 by accident" not in found([*rows, double._replace(inputs=(tensor(dtype="float64"),))])


def test_small_batches_of_short_products_are_told():
    rows = [Row("aten::linear", 100 * n, 100 * n + 50, inputs=(tensor(2, 64), tensor(8, 64))) for n in range(10)]
    assert found(rows)["small batch"].title == "Products of 2 rows at a time"
    assert "small batch" not in found([row._replace(inputs=(tensor(256, 64),)) for row in rows])


def test_a_bias_that_batch_norm_takes_away_is_told():
    conv = Row("aten::conv2d", 0, 10, inputs=(tensor(1, 3, 8, 8), tensor(4, 3, 3, 3), tensor(4)))
    norm, counted = Row("aten::batch_norm", 20, 30), Row("aten::add_", 12, 14)
    assert "bias before BatchNorm" in found([conv, norm])
    assert "bias before BatchNorm" in found([conv, counted, norm])
    assert "bias before BatchNorm" not in found([conv, counted._replace(name="aten::conv2d"), norm])
    assert "bias before BatchNorm" not in found([conv._replace(inputs=(tensor(1, 3), tensor(4, 3), None)), norm])


def test_memory_that_grows_with_every_step_is_told():
    rows = [Row(f"ProfilerStep#{n}", 100 * n, 100 * n + 100, RANGE) for n in range(4)]
    grows = [(100 * n + 50, n + 1, 1000, n) for n in range(4)]
    assert found(rows, memory=grows)["memory grows"].evidence == [
        "1000 B after the first step, 3.91 KiB after the last: 1000 B more per step"]
    stays = [(100 * n + k, 1, change, n) for n in range(4) for k, change in ((50, 1000), (60, -1000))]
    assert "memory grows" not in found(rows, memory=stays)


def test_the_peak_names_who_holds_it():
    finding = found(training_step(), memory=[(125, 1, 400 << 20, 4), (215, 2, 100 << 20, 5)],
                    modules=[(110, 400, "Net 0 Net "), (110, 205, "Linear 30 Net fc")])["memory peak"]
    assert finding.title == "80 % of the peak of 500 MiB is allocated in module fc"


def test_steps_in_which_python_takes_most_of_the_time_are_told():
    rows = [Row("ProfilerStep#0", 0, 1000, RANGE), Row("aten::mm", 0, 10, sequence=0),
            Row("MmBackward0", 20, 30, 1, 0, 1)]
    assert found(rows)["Python between ops"].time_ns == 980


def test_an_empty_profile_has_none():
    assert findings(digest([])) == []


def test_the_same_table_gives_the_same_findings_in_the_same_order():
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    with profile(schedule=schedule(wait=0, warmup=1, active=2, repeat=1), record_shapes=True, profile_memory=True,
                 with_stack=True, with_modules=True) as prof:
        for _ in range(3):
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
            prof.step()
    table = prof.profiler._recordings.table()
    first = findings(Digest(table))
    assert first == findings(Digest(table))
    assert {"optimizer in a loop", "gradients zeroed"} <= {finding.kind for finding in first}
    assert any("test_findings.py" in line for finding in first for line in finding.evidence)
