"""What tensors with a mask of their own answer, on any library with torch's interface."""

from __future__ import annotations

import warnings

QUESTIONS = """
    x; x.get_data(); x.get_mask(); x.layout; x.shape; x.dtype; x.to_tensor(-1); x.sum(); x.sum(0); x.mean(1); x.prod(1)
    x.amax(1); x.amin(); x.argmax(1); x.argmin(0); x.all(); x.var(1); x.std(1); torch.sum(x, 1); x.sum(0, keepdim=True)
    torch.sin(x); x.sqrt(); x + x; x + 1; 1 + x; x * 2.; x + d; x == x; x + masked.masked_tensor(d, ~m); -x; x ** 2
    x > 1; ~masked.masked_tensor(m, m); torch.maximum(x, x); torch.isnan(x); x.clamp(0, 1); x.add_(x); x.abs_()
    x.t(); x.reshape(3, 2); x.view(6); x[0]; x[:, 1]; x[0, 0].item(); bool(x.all()); x.transpose(0, 1); x.unsqueeze(0)
    x.flatten(); x.narrow(0, 0, 1); x.expand(2, 2, 3); x.mT; x.chunk(2); x.split(1); torch.stack([x, x])
    torch.cat([x, x]); torch.where(m, x, x); x.softmax(1); x.double(); x.long(); x.to(torch.float64).dtype; x.clone()
    x.bfloat16(); torch.ones_like(x); x.is_contiguous(); len(x); x.matmul(x.t()); x.cumsum(0); x.squeeze(); x.max()
    x.numpy(); x.tolist(); masked.is_masked_tensor(x); masked.is_masked_tensor(d); masked.MaskedTensor(d, m)
    masked.masked_tensor(d, m.int()); masked.masked_tensor(d, m[0]); masked.masked_tensor(d, m[:, :2])
    masked.masked_tensor(x, m); masked.masked_tensor([1, 2], m); masked.masked_tensor(d, m.to_sparse())
    masked.masked_tensor(d.int(), m); masked.masked_tensor(torch.tensor(3.), torch.tensor(False))
    masked.masked_tensor(d.to_sparse(), m.to_sparse()); masked.masked_tensor(d.to_sparse(), m.to_sparse()).sum()
    masked.masked_tensor(d.to_sparse(), m.to_sparse()).sin().to_dense(); x.to_sparse() * 2; x.to_sparse_csr().to_dense()
    masked.masked_tensor(d.to_sparse_csr(), m.to_sparse_csr())
"""
# Functions of a leaf whose gradient is looked at.
DIFFERENTIATED = ("x.sum()", "x.mean()", "(x * x).sum()", "x.sqrt().sum()", "x.amax()", "x.prod()", "x[0].sum()",
                  "x.t().sum()", "x.sum(1).mean()", "x.softmax(1).mul(x).sum()", "x.get_data().sum()")


def questions() -> list[str]:
    return [question.strip() for line in QUESTIONS.strip().splitlines() for question in line.split(";")]


def answers(torch) -> dict[str, str]:
    """Each question and its answer as text; the gradients of functions of a leaf; of an error its first lines."""
    return {question: _answer(torch, question) for question in questions()} | {
        f"gradient of {text}": _answer(torch, f"gradient({text!r})") for text in DIFFERENTIATED} | {
        "gradient of plain data": _answer(torch, "plain_gradient()")}


def _answer(torch, question: str) -> str:
    masked = torch.masked
    data, mask = torch.arange(1., 7.).reshape(2, 3), torch.tensor([[True, False, True], [False, True, False]])

    def gradient(text: str):
        leaf = masked.masked_tensor(data, mask, requires_grad=True)
        eval(text, {"x": leaf}).backward()
        return leaf.grad

    def plain_gradient():
        leaf = data.clone().requires_grad_()
        masked.as_masked_tensor(leaf, mask).sum().backward()
        return leaf.grad

    scope = {"torch": torch, "masked": masked, "d": data, "m": mask, "x": masked.masked_tensor(data, mask),
             "gradient": gradient, "plain_gradient": plain_gradient}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(question, scope))
        except Exception as error:
            first = str(error).split(". ")[0].splitlines()[0]
            return f"{type(error).__name__}: {first}".replace("mindtorch_v2", "torch")
