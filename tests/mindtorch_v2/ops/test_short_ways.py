"""Ops that take a shorter way where nobody watches give what their recorded steps give: values, layout, graph."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.record.layout import CALLS as CALLS_WANTED
from mindtorch_v2.record.layout import EXECUTED, INPUTS, OF_MEMORY, TENSORS
from mindtorch_v2.record.recorder import Window

F = torch.nn.functional  # what the statements below name
x = torch.arange(24.0).reshape(2, 3, 4)
matrix, mask, places = x[0], x > 5, torch.tensor([2, 0, 2])
image, kernel, table = x[None], torch.arange(54.0).reshape(2, 3, 3, 3), torch.arange(12.0).reshape(4, 3)
heads = torch.arange(32.0).reshape(1, 2, 4, 4) / 32

CALLS = """
    x[:1].mT.mT.roll(1) | x[:, :, :1].mT.roll(2) | F.conv1d(x[:, :1].mT.mT, torch.ones(2, 1, 2))
    torch.sort(matrix, out=(torch.empty(3, 1).expand(3, 4), torch.empty(3, 4, dtype=torch.long)))
    x.roll(1) | x.roll(-5) | x.roll(7, 1) | x.roll((1, 2), (0, 1)) | x[:, :0].roll(1) | x.mT.roll(1, 1)
    x.repeat(2, 1, 3) | x.repeat(2, 2, 1, 1) | x.repeat(0, 1, 1) | x.mT.repeat(1, 2, 1) | torch.tensor(1.0).repeat(3)
    x.flip(0) | x.flip(0, -1) | x.mT.flip(1) | x.flip(()) | x.tril(1) | x.triu(-1) | x.mT.tril() | x.tril(2**40)
    torch.cat([x, x], 1) | torch.cat([x.mT, x.mT]) | torch.cat([x, x.double()]) | torch.cat([x[:, :0], x], 1)
    torch.stack([x, x]) | torch.stack([x, x], 3) | torch.stack([x.mT, x.mT], 1) | torch.cat([torch.empty(0), x])
    x.unbind(1) | x.split(2, 2) | x.chunk(3, 1) | x[:, 1:, ::2] | x[0, -1] | x[..., None, 1] | x[1:1]
    x[mask] | x[x > 99] | x[mask[..., 0]] | matrix[places] | matrix[:, places] | matrix[places, places]
    mask.nonzero() | (x > 99).nonzero() | x.nonzero() | torch.tensor(True).nonzero()
    matrix.gather(0, places[:, None]) | matrix.gather(1, places[:, None]) | matrix.mT.gather(0, places[:, None])
    matrix.scatter(0, places[None, :].expand(1, 3), 1.0)
    matrix.index_select(0, places) | matrix.mT.index_select(0, places)
    F.embedding(places, table) | F.embedding(places[None], table) | F.embedding(places.int(), table)
    F.pad(x, (1, 2, 0, 1), value=3.0) | F.pad(x, (-1, 2)) | F.pad(image.to(memory_format=torch.channels_last), (1, 1))
    F.pad(image, (1, 2, 1, 0), mode="circular") | F.pad(x, (0, 1), mode="circular")
    F.pad(image.to(memory_format=torch.channels_last), (3, 1, 0, 2), mode="circular")
    F.pad(x, (5, 0), mode="circular")
    F.pad(image[0].mT, (0, 1, 2, 0), mode="circular") | F.pad(image, (-1, 2, 1, 1), mode="circular")
    torch.embedding_bag(table, places, torch.tensor([0, 1, 1]), mode=1)
    torch.embedding_bag(table, places, torch.tensor([0, 2, 1]), mode=1)
    torch.embedding_bag(table, places, torch.tensor([0, 2, 3]), mode=1, include_last_offset=True)
    torch.embedding_bag(table, places.int(), torch.tensor([0, 3], dtype=torch.int32), mode=1)
    torch.embedding_bag(table, places[:0], torch.tensor([0, 0]), mode=1)
    torch.embedding_bag(table, places[:0], places[:0], mode=1)
    torch.embedding_bag(table, places + 4, places * 0, mode=1)
    F.channel_shuffle(image[:, [0, 1, 1, 0]], 2) | F.pixel_shuffle(image[:, [0, 1, 1, 0]], 2)
    F.conv2d(image, kernel.repeat(1, 1, 1, 1)[:, :2, :2, :2], padding=1)
    F.conv1d(x, torch.ones(2, 3, 2), torch.ones(2))
    F.max_pool2d(image, 2) | F.avg_pool2d(image, 2, padding=1) | F.interpolate(image, scale_factor=2)
    F.interpolate(image, scale_factor=2, mode="bilinear") | F.interpolate(image.double(), size=(5, 70))
    F.mse_loss(x, x + 1) | F.smooth_l1_loss(x, x * 2, reduction="sum") | F.huber_loss(x, x * 2)
    F.mse_loss(x.mT, x.mT * 2)
    F.binary_cross_entropy(heads, heads) | F.cross_entropy(matrix, places) | F.nll_loss(matrix, places)
    F.scaled_dot_product_attention(heads, heads, heads, is_causal=True) | F.softmax(x, 1, dtype=torch.float32)
    drawn(matrix, 1) | drawn(matrix.mT, 1) | drawn(matrix[0], 1, True) | drawn(matrix.half(), 1) | drawn(matrix - 9, 1)
    drawn(matrix * 0, 1) | drawn(matrix / 0, 1) | drawn(matrix[:0], 1) | drawn(matrix.double(), 1)
    torch.einsum("bij,bkj->bik", x, x) | torch.mv(matrix, matrix[0]) | torch.outer(matrix[0], matrix[1])
    x.repeat(2) | x.repeat(-1, 1, 1) | x.roll(1, 5) | x.flip(0, 0) | x.split(-1) | torch.tensor(1.0).roll(1, 0)
    x[torch.ones(3, dtype=torch.bool)] | F.embedding(torch.tensor([9]), table) | matrix.gather(0, places[:, None] + 9)
    torch.cat([x, matrix]) | torch.stack([x, matrix]) | F.conv2d(image, kernel[:, :, :1]) | torch.einsum("ij->i", x)
"""


def drawn(*given):
    """What is drawn from the same seed."""
    torch.manual_seed(3)
    return torch.multinomial(*given)


STATEMENTS = [statement.strip() for line in CALLS.strip().splitlines() for statement in line.split(" | ")]


def answer(statement: str):
    """What a call gives, as far as a user can see it."""
    try:
        given = eval(statement)
    except (RuntimeError, IndexError, ValueError) as error:
        return type(error), str(error)
    results = given if isinstance(given, tuple) else (given,)
    return [(t.tolist(), t.dtype, t.stride(), t.storage_offset(), type(t.grad_fn).__name__) for t in results]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_short_way_leads_to_the_same(statement):
    unobserved = answer(statement)
    with profile():
        observed = answer(statement)
    assert unobserved == observed


@pytest.mark.parametrize("statement", ["x.roll(1)", "torch.cat([x, x])", "x.unbind()", "x[:, 1:, 0]", "x[mask]",
                                       "F.mse_loss(x, x + 1)", "F.pad(x, (1, 1))", "F.conv1d(x, torch.ones(2, 3, 2))"])
def test_the_short_way_leads_back_by_the_same_nodes(statement, monkeypatch):
    monkeypatch.setitem(globals(), "x", x.clone().requires_grad_())

    def walk():
        result = eval(statement)
        node, names = (result[0] if isinstance(result, tuple) else result).grad_fn, []
        while node is not None:
            names.append(node.name())
            node = node.next_functions[0][0] if node.next_functions else None
        return names

    unobserved = walk()
    with profile():
        assert walk() == unobserved


def recorded(statement: str, wants: int) -> list[tuple]:
    """What rows say of a call, but for times and identities: name, nesting, inputs, tensors given, changes of bytes."""
    torch.manual_seed(0)
    window = Window(wants).open()
    try:
        eval(statement)
    finally:
        recording = window.close()
    (thread,) = recording.threads
    given, changes = thread.tensors["row"].tolist(), thread.memory["row"].tolist()
    return [(recording.names[row["name"]], row["back"], row["scope"], row["sequence"], recording.inputs[row["inputs"]],
             given.count(number), [thread.memory["change"][i] for i, of in enumerate(changes) if of == number])
            for number, row in enumerate(thread.rows, thread.first + 1)]


@pytest.mark.parametrize("statement", ["x * 2", "x.double() + 1.5", "(x > 5) / 3", "x.clone().mul_(0.1)", "x + 2j",
                                       "x.half() - 1", "x.sum(1)", "matrix.t()", "x.mT.amax((0, 2))",
                                       "F.dropout(x, 0.5)"])
def test_rows_of_steps_that_their_caller_takes_are_those_that_the_dispatcher_writes(statement):
    wants = CALLS_WANTED | INPUTS | OF_MEMORY | TENSORS
    recorded(statement, wants)
    assert recorded(statement, wants) == recorded(statement, wants | EXECUTED)
