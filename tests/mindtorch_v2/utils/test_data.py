"""Datasets, samplers and the loader: same items, same random order, same complaints as PyTorch's."""

from __future__ import annotations

import collections
import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.record import recorder
from mindtorch_v2.utils.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    Sampler,
    SequentialSampler,
    StackDataset,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    default_convert,
    get_worker_info,
    random_split,
)

RANGE = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


class Numbers(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return i


class Tens(Numbers):
    """Gives whole batches at once."""

    def __getitems__(self, indices):
        return [i * 10 for i in indices]


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))


class ShortStream(Stream):
    """Promises fewer items than it has."""

    def __iter__(self):
        return iter(range(3))

    def __len__(self):
        return 2


def seeded(seed: int = 3) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def lists(batches) -> list:
    return [b.tolist() for b in batches]


class TestDatasets:
    def test_tensor_dataset_gives_a_row_of_each(self):
        data = TensorDataset(torch.arange(6.0).reshape(3, 2), torch.arange(3))
        assert len(data) == 3 and [t.tolist() for t in data[1]] == [[2, 3], 1]

    def test_stack_gives_tuples_or_dicts(self):
        assert StackDataset(Numbers(), Tens())[1] == (1, 1)
        assert StackDataset(a=Numbers(), b=Numbers())[2] == {"a": 2, "b": 2}
        assert StackDataset(Tens(), Numbers()).__getitems__([1, 2]) == [(10, 1), (20, 2)]

    def test_concatenation_counts_through(self):
        both = Numbers() + Numbers()
        assert (len(both), both[7], both[-1], both.cumulative_sizes) == (10, 2, 4, [5, 10])

    def test_chain_streams_one_after_the_other(self):
        assert list(Stream() + Stream()) == [0, 1, 2, 3, 4] * 2
        assert len(ChainDataset([ShortStream(), ShortStream()])) == 4

    def test_subset_passes_batches_on(self):
        assert Subset(Numbers(), [3, 4])[1] == 4
        assert Subset(Tens(), [3, 4]).__getitems__([1, 0]) == [40, 30]

    def test_split_is_torchs_permutation(self):
        parts = random_split(range(10), [3, 7], generator=seeded(1))
        assert [part.indices for part in parts] == [[5, 6, 1], [2, 0, 8, 9, 3, 7, 4]]

    def test_split_by_fractions_gives_the_rest_to_the_first(self):
        assert [len(part) for part in random_split(range(10), [0.33, 0.33, 0.34])] == [4, 3, 3]

    def test_empty_split_is_warned_of(self):
        with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
            random_split(range(3), [0.9, 0.1])

    @pytest.mark.parametrize("make, error, text", [
        (lambda: TensorDataset(torch.ones(2), torch.ones(3)), AssertionError, "Size mismatch between tensors"),
        (lambda: StackDataset(), ValueError, "At least one dataset should be passed"),
        (lambda: StackDataset(Numbers(), [1]), ValueError, "Size mismatch between datasets"),
        (lambda: ConcatDataset([]), AssertionError, "datasets should not be an empty iterable"),
        (lambda: ConcatDataset([Stream()]), AssertionError, "ConcatDataset does not support IterableDataset"),
        (lambda: ConcatDataset([Numbers()])[-6], ValueError,
         "absolute value of index should not exceed dataset length"),
        (lambda: list(ChainDataset([Numbers()])), AssertionError, "ChainDataset only supports IterableDataset"),
        (lambda: Dataset()[0], NotImplementedError, "Subclasses of Dataset should implement __getitem__."),
        (lambda: random_split(range(3), [1, 1]), ValueError,
         "Sum of input lengths does not equal the length of the input dataset!"),
        (lambda: random_split(range(3), [1.5, -0.5]), ValueError, "Fraction at index 0 is not between 0 and 1"),
    ])
    def test_misuse_is_refused_in_torchs_words(self, make, error, text):
        with pytest.raises(error) as caught:
            make()
        assert str(caught.value) == text


class TestSamplers:
    def test_random_order_is_torchs(self):
        assert list(RandomSampler(range(6), generator=seeded())) == [4, 0, 3, 2, 1, 5]

    def test_more_samples_than_items_come_in_rounds(self):
        assert list(RandomSampler(range(4), num_samples=10, generator=seeded())) == [2, 3, 1, 0, 3, 2, 1, 0, 0, 3]

    def test_replacement_draws_in_chunks_of_32(self):
        drawn = list(RandomSampler(range(40), True, 70, generator=seeded()))
        assert drawn[:5] == [26, 8, 17, 27, 0] and drawn[30:35] == [10, 31, 4, 33, 19] and drawn[-3:] == [28, 23, 5]

    def test_subset_in_random_order(self):
        assert list(SubsetRandomSampler([5, 6, 7], generator=seeded())) == [6, 5, 7]

    def test_by_weight(self):
        assert list(WeightedRandomSampler([0.1, 0.9, 0.5], 5, generator=seeded())) == [0, 1, 2, 1, 2]
        assert list(WeightedRandomSampler([0.1, 0.9, 0.5], 2, False, generator=seeded())) == [0, 1]

    @pytest.mark.parametrize("drop_last, batches", [(False, [[0, 1], [2, 3], [4]]), (True, [[0, 1], [2, 3]])])
    def test_batches(self, drop_last, batches):
        sampler = BatchSampler(SequentialSampler(range(5)), 2, drop_last)
        assert list(sampler) == batches and len(sampler) == len(batches)

    @pytest.mark.parametrize("make, error, text", [
        (lambda: RandomSampler([]), ValueError,
         "num_samples should be a positive integer value, but got num_samples=0"),
        (lambda: RandomSampler([1], replacement=3), TypeError,
         "replacement should be a boolean value, but got replacement=3"),
        (lambda: WeightedRandomSampler([[0.1]], 5), ValueError,
         "weights should be a 1d sequence but given weights have shape (1, 1)"),
        (lambda: BatchSampler([1], True, False), ValueError,
         "batch_size should be a positive integer value, but got batch_size=True"),
        (lambda: BatchSampler([1], 2, 3), ValueError, "drop_last should be a boolean value, but got drop_last=3"),
        (lambda: iter(Sampler()), NotImplementedError, ""),
    ])
    def test_misuse_is_refused_in_torchs_words(self, make, error, text):
        with pytest.raises(error) as caught:
            make()
        assert str(caught.value) == text


Point = collections.namedtuple("Point", "x y")


class TestCollate:
    @pytest.mark.parametrize("batch, values, dtype", [
        ([1, 2], [1, 2], torch.int64), ([1.5, 2.0], [1.5, 2.0], torch.float64),
        ([True, False], [True, False], torch.bool),
        ([1, 2.5], [1, 2.5], torch.float32), ([np.float32(3), np.float32(4)], [3, 4], torch.float32),
        ([np.ones(2), np.zeros(2)], [[1, 1], [0, 0]], torch.float64),
        ([torch.ones(2), torch.zeros(2)], [[1, 1], [0, 0]], torch.float32),
    ])
    def test_numbers_become_one_tensor(self, batch, values, dtype):
        made = default_collate(batch)
        assert made.tolist() == values and made.dtype is dtype

    def test_containers_are_kept(self):
        made = default_collate([{"a": 1, "b": (2.0, "x")}, {"a": 3, "b": (4.0, "y")}])
        assert made["a"].tolist() == [1, 3] and made["b"][0].tolist() == [2, 4] and made["b"][1] == ("x", "y")
        assert default_collate([Point(1, 2), Point(3, 4)]).y.tolist() == [2, 4]
        assert type(default_collate([collections.OrderedDict(a=1)])) is collections.OrderedDict
        assert lists(default_collate([range(2), range(2)])) == [[0, 0], [1, 1]]

    @pytest.mark.parametrize("batch, error, text", [
        ([None], TypeError, "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
         "<class 'NoneType'>"),
        ([np.array(["a"])], TypeError, "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or "
         "lists; found <U1"),
        ([(1, 2), (3,)], RuntimeError, "each element in list of batch should be of equal size"),
        ([torch.tensor(1), 2], TypeError, "expected Tensor as element 1 in argument 0, but got int"),
    ])
    def test_what_cannot_be_collated_is_refused(self, batch, error, text):
        with pytest.raises(error) as caught:
            default_collate(batch)
        assert str(caught.value) == text

    def test_nested_tensors_are_refused(self):
        with pytest.raises(RuntimeError) as caught:
            default_collate([torch.nested.nested_tensor([torch.ones(2)])] * 2)
        assert str(caught.value) == ("Batches of nested tensors are not currently supported by the default collate_fn; "
                                     "please provide a custom collate_fn to handle them appropriately.")

    def test_convert_turns_arrays_into_tensors_and_leaves_the_rest(self):
        made = default_convert({"a": np.ones(2), "b": ("x", np.float32(1))})
        assert made["a"].tolist() == [1, 1] and made["b"][0] == "x" and made["b"][1].dtype is torch.float32
        assert default_convert(3) == 3


class TestLoader:
    def test_batches_in_order(self):
        assert lists(DataLoader(Numbers(), 2)) == [[0, 1], [2, 3], [4]]
        assert lists(DataLoader(Numbers(), 2, drop_last=True)) == [[0, 1], [2, 3]]
        assert lists(DataLoader(Tens(), 3)) == [[0, 10, 20], [30, 40]]

    def test_streams_in_batches(self):
        assert lists(DataLoader(Stream(), 2)) == [[0, 1], [2, 3], [4]]
        assert lists(DataLoader(Stream(), 2, drop_last=True)) == [[0, 1], [2, 3]]

    def test_without_batches_items_come_as_they_are(self):
        assert list(DataLoader(Numbers(), batch_size=None)) == [0, 1, 2, 3, 4]
        assert list(DataLoader(Stream(), batch_size=None)) == [0, 1, 2, 3, 4]

    def test_own_sampler_batch_sampler_and_collate(self):
        assert lists(DataLoader(Numbers(), sampler=[3, 1])) == [[3], [1]]
        assert lists(DataLoader(Numbers(), batch_sampler=[[4, 0], [2]])) == [[4, 0], [2]]
        assert list(DataLoader(Numbers(), 2, collate_fn=sum)) == [1, 5, 4]

    def test_shuffled_order_and_later_random_numbers_are_torchs(self):
        torch.manual_seed(5)
        assert lists(DataLoader(Numbers(), 5, shuffle=True)) == [[3, 0, 1, 4, 2]]
        assert torch.rand(1).item() == pytest.approx(0.9201, abs=1e-4)

    def test_own_generator_leaves_the_default_one_alone(self):
        torch.manual_seed(5)
        assert lists(DataLoader(Numbers(), 5, shuffle=True, generator=seeded())) == [[2, 4, 3, 0, 1]]
        assert torch.rand(1).item() == pytest.approx(0.8303, abs=1e-4)

    def test_length_is_the_number_of_batches(self):
        assert [len(DataLoader(Numbers(), 2)), len(DataLoader(Numbers(), 2, drop_last=True)),
                len(DataLoader(Numbers(), batch_size=None)), len(DataLoader(ShortStream(), 2))] == [3, 2, 5, 1]
        with pytest.raises(TypeError, match="object of type 'Stream' has no len()"):
            len(DataLoader(Stream()))

    def test_a_stream_longer_than_promised_is_warned_of(self):
        loader = DataLoader(ShortStream())
        assert len(loader) == 2
        with pytest.warns(UserWarning, match="was reported to be 2.* but 3 samples have been fetched"):
            list(loader)

    def test_pinned_memory_is_warned_of(self):
        with pytest.warns(UserWarning, match="'pin_memory' argument is set as true but no accelerator is found"):
            iter(DataLoader(Numbers(), pin_memory=True))

    def test_plain_loading_is_silent(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            list(DataLoader(Numbers(), 2, shuffle=True, worker_init_fn=print))

    def test_each_fetch_is_a_range_also_the_one_that_ends(self):
        window = recorder.Window(recorder.CALLS).open()
        list(DataLoader(Numbers(), 2))
        recording = window.close()
        shown = [recording.names[row["name"]][0] for row in recording.threads[0].rows if row["back"] == 0]
        assert shown == ["aten::empty", "aten::random_", "aten::item"] + [RANGE] * 4

    def test_outside_of_workers_there_is_no_worker(self):
        assert get_worker_info() is None

    @pytest.mark.parametrize("options, text", [
        ({"num_workers": -1},
         "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."),
        ({"timeout": -1}, "timeout option should be non-negative"),
        ({"prefetch_factor": 2}, "prefetch_factor option could only be specified in multiprocessing.let num_workers > "
         "0 to enable multiprocessing, otherwise set prefetch_factor to None."),
        ({"persistent_workers": True}, "persistent_workers option needs num_workers > 0"),
        ({"shuffle": True, "sampler": [1]}, "sampler option is mutually exclusive with shuffle"),
        ({"batch_sampler": [[1]], "shuffle": True}, "batch_sampler option is mutually exclusive with batch_size, "
         "shuffle, sampler, and drop_last"),
        ({"batch_size": None, "drop_last": True}, "batch_size=None option disables auto-batching and is mutually "
         "exclusive with drop_last"),
        ({"batch_size": 0}, "batch_size should be a positive integer value, but got batch_size=0"),
    ])
    def test_options_that_do_not_go_together(self, options, text):
        with pytest.raises(ValueError) as caught:
            DataLoader(Numbers(), **options)
        assert str(caught.value) == text

    @pytest.mark.parametrize("name, value", [("shuffle", True), ("sampler", [1]), ("batch_sampler", [[1]])])
    def test_a_stream_has_its_own_order(self, name, value):
        with pytest.raises(ValueError) as caught:
            DataLoader(Stream(), **{name: value})
        assert str(caught.value) == (f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                                     f"{name}={value}")

    def test_timeouts_need_workers(self):
        with pytest.raises(AssertionError, match="_SingleProcessDataLoaderIter requires timeout == 0"):
            iter(DataLoader(Numbers(), timeout=1))

    def test_what_a_loader_is_made_of_stays(self):
        with pytest.raises(ValueError, match="batch_size attribute should not be set after DataLoader is initialized"):
            DataLoader(Numbers()).batch_size = 3


@pytest.mark.parametrize(("options", "shares"), [
    ({}, [[8, 5, 0, 3], [7, 6, 4, 8], [1, 9, 2, 7]]),
    ({"drop_last": True}, [[8, 5, 0], [7, 6, 4], [1, 9, 2]]),
    ({"shuffle": False}, [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]),
    ({"shuffle": False, "drop_last": True}, [[0, 3, 6], [1, 4, 7], [2, 5, 8]]),
])
def test_processes_share_a_dataset_as_torchs_do(options, shares):
    from mindtorch_v2.utils.data.distributed import DistributedSampler
    for rank, share in enumerate(shares):
        sampler = DistributedSampler(range(10), 3, rank, **options)
        sampler.set_epoch(2)
        assert list(sampler) == share and len(sampler) == len(share)


def test_a_share_is_asked_for_by_a_rank_that_there_is():
    from mindtorch_v2.utils.data.distributed import DistributedSampler
    with pytest.raises(ValueError, match=r"Invalid rank 3, rank should be in the interval \[0, 2\]"):
        DistributedSampler(range(10), 3, 3)
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        DistributedSampler(range(10))


def test_a_subset_that_changes_its_items_says_so_for_batches_too():
    class Half(Subset):
        def __getitem__(self, idx):
            return 2 * super().__getitem__(idx)

    with pytest.raises(NotImplementedError, match="Half overrides __getitem__ but not __getitems__"):
        Half([1, 2], [0])
