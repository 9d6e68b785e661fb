"""What is alive when memory is fullest."""

from __future__ import annotations

from mindtorch_v2.profiler.views.peak import peak

from .tables import PYTHON, Row, digest, made, training_step

MEMORY = [(30, 1, 100, 1), (40, 2, 50, 1), (45, 1, -100, 1), (125, 1, 70, 4), (130, 3, 20, 4), (550, 3, -20, 11)]


def test_the_peak_is_the_first_moment_with_most_bytes_and_knows_its_blocks():
    found = peak(made(training_step(), memory=[(0, 9, 10, -1), *MEMORY]))
    assert (found.time_ns, found.total_bytes, found.before_bytes, found.changes.tolist()) == (40, 160, 0, [0, 1, 2])


def test_a_block_at_an_address_that_was_used_before_is_the_later_one():
    rows = [change for change in MEMORY if change[0] not in (30, 45)]
    found = peak(made(training_step(), memory=[(5, 1, 10, 0), (6, 1, -10, 0), *rows]))
    assert (found.total_bytes, found.changes.tolist()) == (140, [2, 3, 4])


def test_blocks_are_told_by_the_op_the_module_and_the_stack_that_allocated_them():
    rows = [Row("train.py(3): main", 0, 2000, PYTHON), *training_step()]
    memory = [(125, 1, 70, 5), (128, 2, 30, 5), (215, 3, 20, 6), (540, 4, 10, 12)]
    held = digest(rows, memory=memory, modules=[(110, 400, "Net 0 Net "), (110, 205, "Linear 30 Net fc")]).peak_holders
    assert [(row.op, row.module, row.blocks, row.total_bytes, row.largest_bytes) for row in held] == [
        ("aten::linear", "fc", 2, 100, 70), ("aten::relu", "Net", 1, 20, 20),
        ("autograd::engine::evaluate_function: AddmmBackward0", "fc", 1, 10, 10)]
    assert all(digest(rows).visible.frames(row.stack) == ["train.py(3): main"] for row in held)
