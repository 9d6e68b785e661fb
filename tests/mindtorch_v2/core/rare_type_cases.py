"""What is done with tensors of rare types, as expressions that any torch answers; tools/record_rare_types.py too."""

from __future__ import annotations

NAMES = ("uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
         "float8_e8m0fnu", "complex32")
# x is a tensor of 1, 2, 3, 4 of the type, m a mask, i an index, d the type.
CASES = """
torch.tensor([1, 2], dtype=d)
torch.tensor(1, dtype=d)
torch.tensor([True], dtype=d)
torch.empty(2, dtype=d).shape
torch.zeros(2, dtype=d).shape
torch.ones(2, 2, dtype=d)
torch.full((2,), 2, dtype=d)
torch.arange(3, dtype=d)
torch.rand(2, dtype=d).shape
torch.randint(0, 3, (2,), dtype=d).shape
torch.ones_like(x)
x.new_ones(2)
x.float()
x.double()
x.long()
x.bool()
x.to(torch.bfloat16)
x.to(torch.complex64)
torch.zeros(4).copy_(x)
x.clone()
x.contiguous()
x.reshape(2, 2).t().contiguous()
x.detach()
x[1:3]
x[1]
x[i]
x[m]
x.reshape(2, 2)[:, 1]
x.unsqueeze(0).expand(2, 4)
x.chunk(2)
x.index_select(0, i)
x.gather(0, i)
x.scatter(0, i, x[:2])
x.index_put_((i,), x[:2].clone())
x.masked_fill(m, 1)
x.masked_select(m)
torch.cat([x, x])
torch.stack([x, x]).shape
x.repeat(2)
x.flip(0)
torch.where(m, x, x)
x.fill_(2)
x.tolist()
x[1].item()
bool(x[1])
float(x[1].float())
x.type()
x.element_size()
x.nbytes
x.is_floating_point()
x.is_complex()
x.view(torch.uint8).tolist()
torch.equal(x, x.clone())
torch.is_tensor(x)
x == x
x != 2
x < x
x + x
x + 1
x - x
x * x
x * x.float()
x + x.float()
x / 2
x // 2
x % 2
-x
abs(x)
x.sqrt()
x.sum()
x.prod()
x.max()
x.sort()[0]
x.unique()
x.any()
x.all()
x.isnan()
x.isfinite() if d.is_signed or not d.is_floating_point else 0
x & x
x << 1
x.clamp(0, 1)
torch.minimum(x, x)
x.nonzero().shape
x.add_(1)
x.mul_(x)
x + torch.tensor([1])
x.reshape(2, 2) @ x.reshape(2, 2)
x.requires_grad_().requires_grad
torch.tensor([1.6, 2.5, 7.3, 300.0]).to(d)
torch.tensor([0.3, 17.0, 0.01, 200.0], dtype=torch.float64).to(d)
torch.tensor([5, 100, 250]).to(d)
torch.finfo(d) if d.is_floating_point or d.is_complex else torch.iinfo(d)
repr(d)
d.itemsize
d.is_signed
d.to_complex()
d.to_real()
torch.result_type(x, 1)
torch.result_type(x, 1.0)
torch.tensor([1.0, float("nan"), float("inf"), -2.0]).to(d) if d.is_floating_point and d.is_signed else 0
""".strip().splitlines()


def answer(torch, name: str, expression: str) -> str:
    """What comes of an expression: its text, or the error's kind and first words."""
    dtype = getattr(torch, name)
    names = {"torch": torch, "d": dtype, "x": torch.tensor([1.0, 2.0, 3.0, 4.0]).to(dtype), "i": torch.tensor([1, 2]),
             "m": torch.tensor([True, False, True, False])}
    try:
        return repr(eval(expression, names))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def attributes(torch) -> dict[str, list[str]]:
    """What every type says of itself, and its limits."""
    types = {name: getattr(torch, name) for name in dir(torch) if isinstance(getattr(torch, name), torch.dtype)}
    asked = ("repr(d)", "d.itemsize", "d.is_floating_point", "d.is_complex", "d.is_signed", "d.to_real()",
             "d.to_complex()", "torch.finfo(d)", "torch.iinfo(d)")
    return {name: [_said(torch, dtype, expression) for expression in asked] for name, dtype in sorted(types.items())}


def _said(torch, dtype, expression: str) -> str:
    try:
        return str(eval(expression, {"torch": torch, "d": dtype}))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def pairs(torch) -> dict[str, list[str]]:
    """For every two types their common one, or why there is none, and whether the first may be stored as the second."""
    types = sorted({str(getattr(torch, name)).removeprefix("torch.") for name in dir(torch)
                    if isinstance(getattr(torch, name), torch.dtype)})
    said = {}
    for a in types:
        for b in types:
            try:
                common = str(torch.promote_types(getattr(torch, a), getattr(torch, b)))
            except RuntimeError as error:
                common = str(error).splitlines()[0]
            said[f"{a} {b}"] = [common, torch.can_cast(getattr(torch, a), getattr(torch, b))]
    return said
