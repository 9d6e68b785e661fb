"""Steps: where they begin and end, what they spend their time on, how they are spread."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.views.distribution import Spread
from mindtorch_v2.profiler.views.row_kinds import EVALUATE
from mindtorch_v2.profiler.views.steps import PHASES, steps, summary

from .tables import RANGE, Row, made, training_step


def test_a_step_is_divided_into_phases_that_add_up_to_its_length():
    step, = steps(made(training_step()))
    assert (step.name, step.wall) == ("3", 1000)
    assert (step.data, step.forward, step.backward, step.optimizer, step.other) == (100, 290, 300, 200, 110)
    assert sum(getattr(step, phase) for phase in PHASES) == step.wall


def test_without_marked_steps_each_step_of_the_optimizer_ends_one():
    rows = [row for begin in (0, 1000) for row in training_step(begin)[1:]]
    assert [(step.name, step.start_ns, step.end_ns) for step in steps(made(rows))] == [("0", 0, 880), ("1", 880, 1880)]


def test_optimizers_without_a_backward_pass_between_them_end_a_step_together():
    second = Row("Optimizer.step#SGD.step", 910, 920, RANGE)
    assert [(step.start_ns, step.end_ns) for step in steps(made([*training_step()[1:], second]))] == [(0, 920)]


def test_optimizers_that_take_turns_end_a_step_together():
    """As a GAN's two: what goes back before each tells them apart, and all of it comes again in the next round."""
    def turn(begin: int, node: str) -> list[Row]:
        return [Row("aten::mm", begin, begin + 10), Row(EVALUATE + node, begin + 20, begin + 40),
                Row("Optimizer.step#Adam.step", begin + 50, begin + 60, RANGE)]

    rounds = [row for begin in (0, 200, 400) for row in (*turn(begin, "A"), *turn(begin + 100, "B"))]
    assert [step.end_ns for step in steps(made(rounds))] == [160, 360, 560]
    irregular = [*rounds, *turn(600, "A"), *turn(700, "A")]
    assert len(steps(made(irregular))) == 8


def alternating(*optimizers: str) -> list:
    """The steps of a program whose optimizers alternate between two models."""
    models = [torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())]
    known = {name: torch.optim.SGD(models[0].parameters(), lr=0.1) for name in optimizers}
    with profile() as prof:
        for _ in range(3):
            for model, name in zip(models * 2, optimizers):
                model(torch.ones(2, 2)).sum().backward()
                known[name].step()
    return prof.digest().steps


def test_one_optimizer_that_alternates_between_tasks_ends_a_step_each_time_and_two_end_one_together():
    assert len(alternating("same", "same")) == 6
    assert len(alternating("generator", "discriminator")) == 3
    assert len(alternating("generator", "discriminator", "discriminator")) == 3


def test_evaluation_between_steps_belongs_to_none():
    """Calls of a model that nothing goes back through, but for those that every step has."""
    rows = [row for begin in (0, 1000, 3000) for row in training_step(begin)[1:]]
    trained = [(begin + 110, begin + 400, "Net 0 Net ") for begin in (0, 1000, 3000)]
    evaluated = [(2000, 2300, "Net 0 Net "), (2400, 2900, "Net 0 Net ")]
    assert [step.start_ns for step in steps(made(rows, modules=trained + evaluated))] == [0, 880, 2900]
    teachers = [(begin + 10, begin + 20, "Teacher 0 Teacher ") for begin in (0, 1000, 3000)]
    assert [step.start_ns for step in steps(made(rows, modules=trained + teachers))] == [0, 880, 1880]


def test_the_first_step_that_an_optimizer_ends_begins_with_training_and_not_with_what_makes_the_model():
    making = [Row("aten::uniform_", 0, 400)]
    rows = making + [row for begin in (500, 1500) for row in training_step(begin)[1:]]
    assert [(step.start_ns, step.end_ns) for step in steps(made(rows))] == [(500, 1380), (1380, 2380)]


def test_without_steps_and_optimizer_the_profile_is_one_step():
    step, = steps(made([Row("aten::mm", 10, 60)], end_ns=100))
    assert (step.wall, step.forward, step.other) == (100, 50, 50)


def test_a_call_of_a_model_is_forward_also_between_its_ops():
    rows = [Row("ProfilerStep#0", 0, 100, RANGE), Row("aten::mm", 20, 30)]
    step, = steps(made(rows, modules=[(10, 60, "Net 0 Net ")]))
    assert (step.forward, step.other) == (50, 50)


def test_what_prepares_a_batch_is_not_forward():
    rows = [Row("aten::randint", 0, 50), *training_step()[3:]]
    step, = steps(made(rows))
    assert step.forward == 290


def test_an_empty_profile_has_no_steps():
    assert steps(made([])) == []


def test_phases_are_summed_up_over_steps():
    first, second = steps(made([*training_step(0, "ProfilerStep#0"), *training_step(2000, "ProfilerStep#1")]))
    assert (first.wall, second.wall) == (1000, 1000)
    assert summary([first, second])["backward"] == Spread(2, 600, 300, 300, 300, 300)


def test_the_first_marked_step_begins_with_training_and_what_comes_behind_the_loop_is_no_step():
    rows = [Row("ProfilerStep#0", 0, 1500, RANGE), Row("aten::uniform_", 100, 400), *training_step(500)[1:],
            *training_step(1500, "ProfilerStep#1"), Row("ProfilerStep#2", 2500, 2700, RANGE),
            Row("aten::mm", 2600, 2650)]
    bounds = [(step.name, step.start_ns, step.end_ns) for step in steps(made(rows))]
    assert bounds == [("0", 500, 1500), ("1", 1500, 2500)]
