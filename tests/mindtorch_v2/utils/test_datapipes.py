"""torch.utils.data.datapipes: items, errors and rows are torch's."""

from __future__ import annotations

import json
import pickle
import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.utils import data

from ..overrides_recorded import FACTS, tree
from .datapipe_cases import cases, double

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    OURS = json.loads(json.dumps(cases(torch, data, tree)).replace("mindtorch_v2.utils", "torch.utils"))


@pytest.mark.parametrize("label", FACTS["datapipes"])
def test_pipe_gives_what_torchs_gives_under_the_same_rows(label):
    assert OURS[label] == FACTS["datapipes"][label]


def test_name_can_be_registered_once():
    @data.functional_datapipe("halved")
    class Halved(data.IterDataPipe):
        def __init__(self, source):
            self.source = source

        def __iter__(self):
            for item in self.source:
                yield item // 2

    assert list(data.datapipes.iter.IterableWrapper([2, 4]).halved()) == [1, 2]
    with pytest.raises(Exception, match="Unable to add DataPipe function name halved as it is already taken"):
        data.functional_datapipe("halved")(Halved)


def test_local_function_is_warned_of():
    with pytest.warns(UserWarning, match="Local function is not supported by pickle"):
        data.datapipes.iter.IterableWrapper([1]).map(lambda item: item)


def test_pipes_can_be_pickled():
    pipe = pickle.loads(pickle.dumps(data.datapipes.iter.IterableWrapper([1, 2]).map(double).batch(2)))
    assert [list(batch) for batch in pipe] == [[2, 4]]


def test_graph_tells_what_a_pipe_reads_from():
    source = data.datapipes.iter.IterableWrapper([1])
    pipe = source.map(double)
    assert data.graph.traverse_dps(pipe) == {id(pipe): (pipe, {id(source): (source, {})})}


def test_collate_makes_tensors():
    batch, = data.datapipes.iter.IterableWrapper([1, 2]).batch(2).collate()
    assert torch.equal(batch, torch.tensor([1, 2]))


def test_row_of_a_pipe_that_holds_a_tensor_names_it_without_running_ops():
    class Holding(data.IterDataPipe):
        def __init__(self, given):
            self.given = given

        def __iter__(self):
            yield 1

    pipe = Holding(torch.ones(2))
    assert tree(lambda: list(pipe))[0] == [[0, "Holding(given=tensor([1., 1.]))"]] * 2


def test_fork_that_begins_anew_ends_the_pass_of_the_others():
    one, other = data.datapipes.iter.IterableWrapper(range(4)).fork(2)
    begun, late = iter(one), iter(other)
    assert (next(begun), next(late)) == (0, 0)
    again = iter(one)
    with pytest.raises(RuntimeError, match="from one of the ChildDataPipes of _ForkerIterDataPipe"):
        next(late)
    assert list(again) == [0, 1, 2, 3] == list(other)


class Counting(data.IterDataPipe):
    """Its own iterator, with more to it than ``__next__``."""

    def __init__(self):
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at == 3:
            self.at = 0
            raise StopIteration
        self.at += 1
        return self.at

    def total(self) -> int:
        return 3


class Delegating(data.IterDataPipe):
    def __init__(self, source):
        self.source = source

    def __iter__(self):
        return iter(self.source)


@pytest.mark.parametrize("make", [Counting, lambda: Delegating(Counting())])
def test_an_iterator_answers_for_what_it_iterates_over(make):
    items = iter(make())
    assert items.total() == 3 and list(items) == [1, 2, 3] == list(items)
    assert not hasattr(items, "missing")


def test_files_are_listed_opened_and_read(tmp_path):
    (tmp_path / "below").mkdir()
    for name, text in {"b.txt": "two", "a.txt": "one", "c.bin": "xyz", "below/d.txt": "three"}.items():
        (tmp_path / name).write_text(text)
    pipes = data.datapipes.iter
    listed = pipes.FileLister(str(tmp_path), "*.txt")
    assert [name.removeprefix(f"{tmp_path}/") for name in listed] == ["a.txt", "b.txt"]
    deep = pipes.FileLister(str(tmp_path), ["*.txt", "*.bin"], recursive=True)
    assert [name.removeprefix(f"{tmp_path}/") for name in deep] == ["a.txt", "b.txt", "c.bin", "below/d.txt"]
    assert [text for _, text in listed.open_files().read_from_stream()] == ["one", "two"]
    assert [text for _, text in listed.open_files("rb").read_from_stream(chunk=2)] == [b"on", b"e", b"tw", b"o"]
    with pytest.raises(TypeError, match="FileListerIterDataPipe instance doesn't have valid length"):
        len(listed)
    with pytest.raises(ValueError, match="Invalid mode w"):
        listed.open_files("w")


def test_workers_share_a_stream_of_pipes():
    pipe = data.datapipes.iter.IterableWrapper(range(8)).sharding_filter().map(double)
    batches = [batch.tolist() for batch in data.DataLoader(pipe, 2, num_workers=2)]
    assert batches == [[0, 4], [2, 6], [8, 12], [10, 14]]
