"""SummaryWriter: what it writes, TensorBoard's own reader finds."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

pytest.importorskip("tensorboard", reason="torch.utils.tensorboard is an extra")


def read(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    events = EventAccumulator(str(folder))
    events.Reload()
    return events


@pytest.fixture
def written(tmp_path):
    from mindtorch_v2.utils.tensorboard import SummaryWriter
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", torch.tensor(2.5, requires_grad=True), 3)
        writer.add_histogram("weights", torch.tensor([-1., 0.5, 0.5, 2.]), 1)
        writer.add_image("picture", torch.rand(3, 4, 5))
        writer.add_images("pictures", torch.rand(5, 1, 4, 4))
        writer.add_text("note", "hello", 2)
        writer.add_scalars("both", {"train": 1, "valid": 2}, 5)
        writer.add_hparams({"lr": 0.1, "nesterov": True}, {"accuracy": 0.5}, run_name="run")
        with pytest.warns(UserWarning, match="add_graph.. wrote nothing"):
            writer.add_graph(torch.nn.Linear(2, 2))
    return tmp_path


def test_numbers_are_found_under_their_step(written):
    assert [(e.step, e.value) for e in read(written).Scalars("loss")] == [(3, 2.5)]
    assert [e.value for e in read(written / "both_valid").Scalars("both")] == [2]
    assert [e.value for e in read(written / "run").Scalars("accuracy")] == [0.5]


def test_distributions_have_their_counts(written):
    histogram = read(written).Histograms("weights")[0].histogram_value
    assert (histogram.min, histogram.max, histogram.num, histogram.sum) == (-1, 2, 4, 2)
    assert sorted(n for n in histogram.bucket if n) == [1, 1, 2]


def test_pictures_have_their_size(written):
    events = read(written)
    assert [(i.width, i.height) for i in events.Images("picture")] == [(5, 4)]
    assert [(i.width, i.height) for i in events.Images("pictures")] == [(20, 4)]
