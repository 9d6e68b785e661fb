"""Time, memory and FLOPs by module."""

from __future__ import annotations

from itertools import count

import mindtorch_v2 as torch
from mindtorch_v2.profiler import load, profile
from mindtorch_v2.profiler.views.modules import module_table
from mindtorch_v2.profiler.views.steps import steps
from mindtorch_v2.record import clock

from .tables import made, training_step

nn = torch.nn
NET, FC = "Net 0 Net ", "Linear 30 Net fc"
OUT = "Linear 10 Net out"


def by_path(table):
    return {row.path: row for row in module_table(table).rows}


def test_forward_is_a_modules_calls_and_its_own_forward_is_without_those_inside():
    rows = by_path(made(training_step(), modules=[(110, 400, NET), (110, 205, FC), (300, 390, OUT)]))
    assert [(row.path, row.depth, row.parent, row.forward, row.self_forward) for row in rows.values()] == [
        ("Net", 0, -1, 290, 105), ("fc", 1, 0, 95, 95), ("out", 1, 0, 90, 90)]


def test_backward_goes_to_the_module_whose_op_has_the_number_and_a_gradient_to_the_one_before():
    rows = by_path(made(training_step(), modules=[(110, 400, NET), (110, 205, FC)]))
    assert (rows["Net"].backward, rows["fc"].backward) == (100, 140)


def test_the_optimizer_is_shared_out_by_trained_parameters():
    rows = by_path(made(training_step(), modules=[(110, 400, NET), (110, 205, FC), (300, 390, OUT)]))
    assert [rows[path].optimizer for path in ("Net", "fc", "out")] == [0, 135, 45]


def test_modules_and_the_rest_add_up_to_the_steps():
    table = module_table(made(training_step(), modules=[(110, 400, NET), (110, 205, FC)]))
    assert table.total == 1000
    assert sum(row.self_ns for row in table.rows) + table.other == table.total


def test_bytes_and_flops_go_to_the_innermost_module_going_forward_and_back():
    steps = [row._replace(flops=600) if row.name == "aten::addmm" else row for row in training_step()]
    memory = [(130, 1, 64, 4), (215, 2, 32, 5), (230, 2, -32, 5), (540, 3, 128, 11)]
    rows = by_path(made(steps, memory=memory, modules=[(110, 400, NET), (110, 205, FC)]))
    assert (rows["fc"].flops, rows["Net"].flops) == (600, 0)
    assert (rows["fc"].allocated_bytes, rows["fc"].kept_bytes) == (64 + 128, 64)
    assert (rows["Net"].allocated_bytes, rows["Net"].kept_bytes) == (32, 0)


def test_a_module_that_runs_again_going_back_is_backward_not_forward():
    rows = by_path(made(training_step(), modules=[(110, 400, NET), (110, 205, FC), (540, 600, FC)]))
    assert (rows["fc"].calls, rows["fc"].forward, rows["fc"].backward) == (1, 95, 140)


def test_of_several_models_names_begin_with_the_models():
    table = made(training_step(), modules=[(110, 205, "A 0 A "), (120, 190, "Linear 1 A fc"), (210, 300, "B 0 B "),
                                           (220, 290, "Linear 1 B fc")])
    assert [row.path for row in module_table(table).rows] == ["A", "A.fc", "B", "B.fc"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(4, 4), nn.ReLU()) for _ in range(2)])
        self.tied = nn.Linear(4, 4, bias=False)
        self.tied.weight = self.blocks[0][0].weight

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.tied(x)


def trained(**options):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ticks = count(10**9, 100)
    with clock.fake(lambda: next(ticks)), profile(**options) as prof:
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()
    return prof


def table_of(prof):
    return prof.profiler._recordings.table()


def test_a_model_is_known_by_its_qualified_names_without_stacks():
    rows = by_path(table_of(trained(with_modules=True)))
    assert [(row.path, row.kind, row.depth, row.calls, row.parameters) for row in rows.values()] == [
        ("Net", "Net", 0, 1, 0), ("blocks.0", "Sequential", 1, 1, 0), ("blocks.0.0", "Linear", 2, 1, 20),
        ("blocks.0.1", "ReLU", 2, 1, 0), ("blocks.1", "Sequential", 1, 1, 0), ("blocks.1.0", "Linear", 2, 1, 20),
        ("blocks.1.1", "ReLU", 2, 1, 0), ("tied", "Linear", 1, 1, 0)]
    assert all(row.backward > 0 for row in rows.values() if row.kind in ("Linear", "ReLU"))


def test_leaves_and_the_rest_are_the_step_under_a_fake_clock():
    table = table_of(trained(with_modules=True))
    modules = module_table(table)
    assert sum(row.self_ns for row in modules.rows) + modules.other == sum(step.wall for step in steps(table))
    assert modules.other > 0


def test_events_are_the_same_with_and_without_modules():
    options = {"record_shapes": True, "profile_memory": True, "with_stack": True}
    of_clock = ("<lambda>", "<built-in function next>")
    shown = [[(row.key, row.count, row.cpu_memory_usage, row.self_cpu_memory_usage) for row in
              trained(with_modules=with_modules, **options).key_averages() if not row.key.endswith(of_clock)]
             for with_modules in (False, True)]
    assert shown[0] == shown[1]


def test_modules_are_not_recorded_unless_asked_for():
    assert table_of(trained()).module_ranges.n_rows == 0


def test_a_profile_inside_another_keeps_modules_to_the_one_that_asked():
    model = Net()
    with profile(with_modules=True) as outer, profile() as inner:
        model(torch.ones(2, 4))
    assert table_of(outer).module_ranges.n_rows == 8
    assert table_of(inner).module_ranges.n_rows == 0
    assert len(outer.events()) == len(inner.events())


def test_modules_are_saved_and_loaded(tmp_path):
    prof = trained(with_modules=True, profile_memory=True)
    prof.save(tmp_path / "saved.mtprof")
    assert module_table(table_of(load(tmp_path / "saved.mtprof"))) == module_table(table_of(prof))


def test_modules_of_a_lost_process_are_read_from_its_folder(tmp_path):
    prof = trained(with_modules=True, crash_safe=True, folder=tmp_path)
    rows = module_table(table_of(load(tmp_path))).rows
    assert [row.path for row in rows] == [row.path for row in module_table(table_of(prof)).rows]


def test_two_models_of_one_class_are_told_apart():
    first, second = nn.Sequential(nn.ReLU()), nn.Sequential(nn.ReLU())
    with profile(with_modules=True) as prof:
        first(torch.ones(2)), second(torch.ones(2))
    assert [row.path for row in module_table(table_of(prof)).rows] == [
        "Sequential", "Sequential.0", "Sequential#2", "Sequential#2.0"]
