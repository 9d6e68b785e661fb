"""Every op under vmap: the members of a batch come out as they do one by one, and so do their gradients."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.dispatch import batch_levels
from mindtorch_v2.func import vmap
from mindtorch_v2.opdef.table import OPS

from . import observe
from .test_every_op import TABLES, close, full_name

SIZE = 2
# What is refused, by words of torch's complaint.
_DYNAMIC = "dynamic shape"
_NUMBER = ".item() on a Tensor"
_FORMAT = "inside of vmap"
_STORAGE = "Cannot access storage"
_VIEW = "out= or view ops"
REFUSED = {
    **{name: _DYNAMIC for name in ("nonzero", "nonzero_numpy", "argwhere", "where", "_unique", "_unique2", "unique_dim",
                                   "unique_consecutive", "unique_dim_consecutive", "index.Tensor", "index_put_")},
    **{name: _NUMBER for name in ("item", "_local_scalar_dense", "narrow.Tensor", "repeat_interleave.Tensor",
                                  "repeat_interleave.self_Tensor")},
    "tensor_split.tensor_indices_or_sections": "Cannot access data pointer",
    **{name: _STORAGE for name in ("set_.source_Storage", "set_.source_Storage_storage_offset")},
    **{name: "" for name in ("set", "set.source_Storage", "set.source_Storage_storage_offset")},  # both of these
    **{name: _VIEW for name in ("resize_", "resize_as_", "set.source_Tensor", "set_.source_Tensor",
                                "set_.source_Tensor_storage_offset", "set_", "resize", "resize_as",
                                "slice_inverse", "set_data")},
    "masked_select": "differently shaped", "is_nonzero": "data-dependent", "allclose": "isn't supported",
    "equal": "could not generate a fallback", "one_hot": "explicit positive num_classes",
    **{name: "running_mean" for name in ("batch_norm", "native_batch_norm", "_native_batch_norm_legit",
                                         "_batch_norm_with_update")},
    # Parts of a sparse tensor are views, which torch refuses too; some samples of other ops end in them.
    **{name: _VIEW for name in ("_indices", "_values", "indices", "values", "to_sparse", "to_sparse.sparse_dim",
                                "sparse_mask", "_sparse_mask_projection", "copy_sparse_to_sparse_", "sparse_resize_",
                                "sparse_resize_and_clear_", "resize_as_sparse_", "hspmm", "coalesce")},
    # Compressed sparse members cannot be stacked, in torch neither.
    **{name: "SparseCsrCPU" for name in ("to_sparse_csr", "to_sparse_csc", "to_sparse_bsr", "to_sparse_bsc")},
    "embedding_bag.padding_idx": "embedding_renorm_",  # it writes to one table for all members
    "rrelu_with_noise": "is not possible because",  # it writes to one tensor of noise
}
# Results that depend on how the input lies in memory, not on its values.
BY_LAYOUT = {"_embedding_bag", "_embedding_bag_forward_only", "embedding_bag"}


def files() -> dict[str, list]:
    """The samples by file, without those of ``out=`` forms, which vmap refuses, and of layers that draw weights."""
    outs = {full_name(op) for ops in OPS.values() for op in ops if op.is_out}
    found: dict[str, list] = {}
    for op, (file, rows) in TABLES.items():
        if op not in outs and op not in BY_LAYOUT:
            found.setdefault(file, []).extend([(op, row) for row in rows
                                              if "nn.Conv" not in row.expression and " out=" not in row.expression])
    return found


FILES = files()


def members(sample, floats="float32") -> list[dict]:
    """The inputs of a sample, with other numbers for each member."""
    made = []
    for seed in range(SIZE):
        builders = observe.Builders(torch, floats)
        builders.rng = np.random.default_rng(7 + seed)
        made.append(builders.inputs(sample))
    return made


def can_stack(tensor) -> bool:
    """Whether tensors like this one can be stacked to a batch, as compressed sparse ones cannot."""
    return tensor.layout in (torch.strided, torch.sparse_coo)


def copied(inputs: dict) -> dict:
    return {name: t.clone() if isinstance(t, torch.Tensor) else t for name, t in inputs.items()}


def results(sample, inputs: dict) -> tuple:
    return tuple(observe.tensors_of(torch, observe.evaluate(torch, sample, inputs)))


def array(tensor) -> np.ndarray:
    plain = tensor.detach().resolve_conj().resolve_neg()
    return (plain.to(torch.float32) if plain.dtype is torch.bfloat16 else plain).numpy()


def is_expected(op: str, error: Exception) -> bool:
    text = str(error)
    if op in REFUSED and REFUSED[op] in text:
        return True
    if _FORMAT in text and "memory_format" in text:  # as in torch, no layout by channels
        return True
    return op.partition(".")[0].endswith("_") and "is not possible because" in text  # one tensor, written for each


def difference(op: str, sample, batched: list[str], inputs: list[dict]) -> str | None:
    """What is wrong with the members of some inputs of a sample, the others being the same for all."""
    each = [{**inputs[0], **{name: inputs[m][name] for name in batched}} for m in range(SIZE)]
    try:
        wanted = [results(sample, copied(one)) for one in each]
    except Exception:
        return None  # the sample is one of a complaint
    shared = {name: t for name, t in copied(inputs[0]).items() if name not in batched}
    stacks = [torch.stack([one[name] for one in each]) for name in batched]
    try:
        given = vmap(lambda *some: results(sample, {**shared, **dict(zip(batched, some))}),
                     randomness="different")(*stacks)
    except Exception as error:
        return None if is_expected(op, error) else f"{type(error).__name__}: {error}"
    for ours, theirs in zip(given, zip(*wanted)):
        if tuple(ours.shape[1:]) != tuple(theirs[0].shape) or ours.dtype is not theirs[0].dtype:
            return f"{tuple(ours.shape[1:])} of {ours.dtype}, wanted {tuple(theirs[0].shape)} of {theirs[0].dtype}"
        if not draws(op) and not close(array(ours), np.stack([array(t) for t in theirs]), ours.dtype.name):
            return f"{array(ours).reshape(-1)[:4]}, wanted {array(theirs[0]).reshape(-1)[:4]}"
    return None


def draws(op: str) -> bool:
    """Whether a sample draws random numbers, which are others for each member."""
    name = op.partition(".")[0]
    return name in batch_levels.Random.names or name in DRAWING


DRAWING = {"rrelu", "rrelu_", "dropout_", "feature_dropout_", "alpha_dropout_", "feature_alpha_dropout_", "rnn_tanh",
           "rnn_relu", "gru", "lstm", "scaled_dot_product_attention", "fractional_max_pool2d", "fractional_max_pool3d",
           "new_empty", "empty_like", "new_empty_strided", "empty_permuted", "pad"}


@pytest.mark.parametrize("file", FILES)
def test_members_come_out_as_one_by_one(file):
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op, sample in FILES[file]:
            inputs = members(sample)
            tensors = [name for name, value in inputs[0].items() if type(value) is torch.Tensor and can_stack(value)]
            choices = [tensors, *([[name] for name in tensors] if len(tensors) > 1 else [])] if tensors else []
            wrong.extend([f"{op}: {sample.expression} over {batched}: {found}" for batched in choices
                          if (found := difference(op, sample, batched, inputs)) is not None])
    assert not wrong


def nested_difference(op: str, sample, inputs: list[dict]) -> str | None:
    """What is wrong with members of an outer level in the first tensor, and of an inner one in the others."""
    tensors = [name for name, value in inputs[0].items() if type(value) is torch.Tensor]
    if len(tensors) < 2 or draws(op):
        return None
    first, *rest = tensors
    try:
        wanted = [[results(sample, copied({**inputs[inner], first: inputs[outer][first]})) for inner in range(SIZE)]
                  for outer in range(SIZE)]
    except Exception:
        return None
    shared = {name: t for name, t in inputs[0].items() if name not in tensors}
    inner = vmap(lambda *some: results(sample, copied(shared) | dict(zip(tensors, some))), (None, *[0] * len(rest)))
    try:
        given = vmap(inner, (0, *[None] * len(rest)))(*[torch.stack([one[name] for one in inputs]) for name in tensors])
    except Exception as error:
        return None if is_expected(op, error) else f"{type(error).__name__}: {error}"
    for at, ours in enumerate(given):
        expected = np.stack([np.stack([array(one[at]) for one in row]) for row in wanted])
        if array(ours).shape != expected.shape or not close(array(ours), expected, ours.dtype.name):
            return f"{array(ours).reshape(-1)[:4]}, wanted {expected.reshape(-1)[:4]}"
    return None


@pytest.mark.parametrize("file", FILES)
def test_members_of_two_levels_come_out_as_one_by_one(file):
    wrong, seen = [], set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op, sample in FILES[file]:
            if op not in seen:  # one sample of each: what differs is how levels meet
                seen.add(op)
                found = nested_difference(op, sample, members(sample))
                if found is not None:
                    wrong.append(f"{op}: {sample.expression}: {found}")
    assert not wrong


# Samples whose gradients are not followed, and why.
WITHOUT_GRADIENTS = {
    "linalg_det": "where a matrix has no inverse, which of two ways leads back is a question of values",
    "conv_tbc": "it is composed of products that are added to one tensor",
    "conv_tbc_backward": "the same",
    "_amp_foreach_non_finite_check_and_unscale_": "it writes what it is given",
}


def total(outs) -> torch.Tensor:
    """One number of all floating results, each element with a weight of its own."""
    sums = [(out * torch.linspace(0.5, 1.5, max(out.numel(), 1))[:out.numel()].reshape(out.shape)).sum().double()
            for out in outs if out.is_floating_point()]
    return sum(sums, torch.zeros((), dtype=torch.float64))


def gradient_difference(op: str, sample, inputs: list[dict]) -> str | None:
    """What is wrong with the gradients of all floating inputs, member by member."""
    floats = [name for name, value in inputs[0].items() if type(value) is torch.Tensor and value.is_floating_point()]
    shared = {name: t for name, t in inputs[0].items() if name not in floats}
    if not floats:
        return None

    def gradients(*given):
        leaves = copied(shared) | dict(zip(floats, given))
        return torch.func.grad(lambda *some: total(results(sample, leaves | dict(zip(floats, some)))),
                               tuple(range(len(floats))))(*given)

    try:
        wanted = [gradients(*[one[name].clone() for name in floats]) for one in inputs]
    except Exception:
        return None
    try:
        stacks = [torch.stack([one[name] for one in inputs]) for name in floats]
        given = vmap(gradients, randomness="different")(*stacks)
    except Exception as error:
        return None if is_expected(op, error) else f"{type(error).__name__}: {error}"
    for ours, theirs in zip(given, zip(*wanted)):
        if not draws(op) and not np.allclose(array(ours), np.stack([array(t) for t in theirs]), 1e-3, 1e-3,
                                             equal_nan=True):
            return f"{array(ours).reshape(-1)[:4]}, wanted {array(theirs[0]).reshape(-1)[:4]}"
    return None


@pytest.mark.parametrize("file", FILES)
def test_gradients_of_members_come_out_as_one_by_one(file):
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op, sample in FILES[file]:
            found = None if op in WITHOUT_GRADIENTS else gradient_difference(op, sample, members(sample))
            if found is not None:
                wrong.append(f"{op}: {sample.expression}: {found}")
    assert not wrong
