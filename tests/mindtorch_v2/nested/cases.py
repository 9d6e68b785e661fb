"""What programs ask of nested tensors, on any library with torch's interface: values, errors and rows."""

from __future__ import annotations

import re
import warnings

SETUP = """
a = torch.arange(6.).view(2, 3) - 2; b = torch.arange(9.).view(3, 3) - 4
w = torch.arange(6.).view(2, 3); bias = torch.ones(2); v = torch.arange(15.).view(5, 3); off = torch.tensor([0, 2, 5])
n = torch.nested.nested_tensor([a, b]); q = torch.nested.nested_tensor([torch.ones(2, 4, 3), torch.ones(2, 5, 3)])
j = torch.nested.nested_tensor([a, b], layout=torch.jagged)
x3 = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(1, 3)], layout=torch.jagged, requires_grad=True)
"""
STRIDED = """
    torch.nested.nested_tensor([a, b]); torch.nested.nested_tensor([[1., 2.], [3.]])
    torch.nested.as_nested_tensor([a, b]); n; n.dim(); n.size(); n.size(0); n.size(1); n.size(2); n.shape
    n.numel(); n.is_nested; n.layout; n.dtype; n.is_contiguous(); n.stride(); n.unbind(); n[0]
    n.to_padded_tensor(0.); torch.nested.to_padded_tensor(n, -1, (2, 4, 4)); n + n; n * 2; n * n; n - n; n + 1
    n / 2; n + a; -n; n.relu(); F.gelu(n); n.sin(); n.abs(); F.linear(n, w); F.linear(n, w, bias)
    torch.matmul(n, torch.ones(3, 2)); torch.matmul(n, n.transpose(1, 2)); torch.bmm(n, n.transpose(1, 2))
    n.transpose(1, 2); n.transpose(1, 2).contiguous(); torch.softmax(n, -1); F.layer_norm(n, (3,))
    n.chunk(3, -1); n.sum(-1, keepdim=True); n.sum(-1); n.sum(); n.clone(); n.detach(); n.to(torch.float64)
    n.contiguous(); torch.zeros_like(n); n.reshape(2, -1, 3); n.view(2, -1, 3, 1); q.transpose(1, 2)
    n.unsqueeze(1); n.squeeze(); n.select(0, 1); torch.cat([n, n]); torch.stack([n, n]); n.mean(); n.max(); n == n
    F.scaled_dot_product_attention(q, q, q); n.values(); n.half(); n.tolist(); n.numpy(); n.is_same_size(n)
    torch.nested.nested_tensor([]); torch.nested.nested_tensor(3); torch.nested.nested_tensor([a, torch.ones(2)])
    torch.nested.nested_tensor([a, b.int()]); n._nested_tensor_size(); n._nested_tensor_strides()
    n._nested_tensor_storage_offsets(); n.masked_fill(n>0, 1.)
    F.embedding(torch.nested.nested_tensor([[1, 2], [0]]).long(), w); n.exp(); n.pow(2); n.sgn()
"""
JAGGED = """
    torch.nested.nested_tensor([a, b], layout=torch.jagged); torch.nested.nested_tensor_from_jagged(v, off)
    torch.nested.as_nested_tensor([a, b], layout=torch.jagged)
    torch.nested.nested_tensor_from_jagged(v, lengths=torch.tensor([2, 3])); j; j.shape; j.size(); j.size(0)
    j.size(1); j.size(2); j.dim(); j.stride(); j.numel(); j.layout; j.is_nested; j.is_contiguous(); j.values()
    j.offsets(); j.lengths(); j.unbind(); j[0]; j.to_padded_tensor(0.); j + j; j * 2; j + 1; j - j; j.sin()
    j.sin().cos(); j.relu(); j.exp(); F.linear(j, w); F.linear(j, w, bias); torch.matmul(j, torch.ones(3, 2))
    j.transpose(1, 2); torch.softmax(j, -1); F.layer_norm(j, (3,)); j.sum(); j.sum(-1); j.sum(1); j.mean(1)
    j.clone(); j.detach(); j.to(torch.float64); torch.zeros_like(j); j.unsqueeze(-1); j.chunk(3, -1)
    torch.cat([j, j], -1); torch.cat([j, j]); j == j; torch.where(j>0, j, j); j.masked_fill(j>0, 1.)
    F.scaled_dot_product_attention(*[j.unsqueeze(2).transpose(1, 2)] * 3)
    torch.nested.masked_select(torch.arange(6.).view(2, 3), torch.tensor([[True, False, True], [True, True, True]]))
    F.dropout(j, 0.5, training=False)
    F.embedding(torch.nested.nested_tensor([torch.tensor([1, 0]), torch.tensor([0])], layout=torch.jagged), w)
    torch.autograd.grad((x3 * 2).values().sum(), x3); torch.autograd.grad(x3.to_padded_tensor(0.).sum(), x3)
    j.max(); j + torch.ones(2, 1, 3); j + torch.nested.nested_tensor([a, b], layout=torch.jagged)
    torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(2, 2)], layout=torch.jagged); j.view(2, -1, 3)
    j.reshape(2, -1, 3, 1); F.gelu(j); j.float(); j.numpy(); j.tolist()
"""


def questions() -> list[str]:
    return [text.strip() for table in (STRIDED, JAGGED) for line in table.strip().splitlines()
            for text in line.split(";") if text.strip()]


def answers(torch) -> dict[str, dict]:
    """Each question with its value as text, or the first sentence of an error, and the rows it leaves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scope = {"torch": torch, "F": torch.nn.functional}
        exec(SETUP, scope)
        return {question: _answer(torch, question, scope) for question in questions()}


def _answer(torch, question: str, scope: dict) -> dict:
    try:
        with torch.profiler.profile() as prof:
            value = eval(question, scope)
    except Exception as error:
        return {"error": _unnumbered(f"{type(error).__name__}: {re.split(r'[.] |[(]if', str(error))[0].strip()}")}
    rows = " ".join([_tree(event) for event in prof.events() if event.cpu_parent is None])
    return {"value": _text(torch, value), "rows": rows}


def _text(torch, value) -> str:
    """The value in few digits."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        parts = value.unbind() if value.is_nested else [value]
        numbers = [[round(number, 3) + 0 for number in part.detach().reshape(-1).tolist()] for part in parts]
        head = repr(value).partition("(")[0] if value.is_nested else "tensor"
        return f"{head} {[list(part.shape) for part in parts]} {value.dtype} {numbers}"
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], torch.Tensor):
        return " | ".join([_text(torch, item) for item in value])
    return _unnumbered(repr(value))


def _unnumbered(text: str) -> str:
    """A text without the numbers of ragged sizes: they count what the process made before."""
    return re.sub(r"\bj[0-9]+", "j", text)


def _tree(event) -> str:
    inner = " ".join([_tree(child) for child in event.cpu_children])
    return event.name.removeprefix("aten::") + (f"[{inner}]" if inner else "")
