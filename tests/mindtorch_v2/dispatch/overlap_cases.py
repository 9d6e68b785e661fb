"""Writes to memory that is shared. ``w`` is written to, ``o`` is another tensor; three settings say how they lie."""

from __future__ import annotations

# What w and o are, made of a function of the library that gives 0, 1, 2 … in a type.
SETTINGS = {
    "expanded": ("ramp(3).view(3, 1).expand(3, 3)", "ramp(9).view(3, 3)"),
    "shifted": ("memory[:9].view(3, 3)", "memory[1:].view(3, 3)"),
    "apart": ("memory[:9].view(3, 3)", "memory[9:].view(3, 3)"),
    "itself": ("memory[:9].view(3, 3)", "w"),
    "whole": ("memory[:9].view(3, 3)", "memory[:9].view(3, 3)"),
    "turned": ("memory[:9].view(3, 3)", "memory[:9].view(3, 3).t()"),
}
LENGTHS = {"shifted": 10, "apart": 18}

FLOATS = """
w.add_(o)
w.sub_(o)
w.mul_(o)
w.div_(o)
w.add_(1)
w.mul_(2)
w.neg_()
w.abs_()
w.exp_()
w.sqrt_()
w.sigmoid_()
w.tanh_()
w.relu_()
w.clamp_(0, 1)
w.clamp_(o)
w.pow_(2)
w.pow_(o)
w.floor_()
w.round_()
w.trunc_()
w.copy_(o)
w.copy_(o[0])
w.fill_(2)
w.fill_(o[0, 0])
w.zero_()
w.lerp_(o, 0.5)
w.addcmul_(o, o)
w.addcdiv_(o, o + 1)
w.addmm_(o, o)
w.addr_(o[0], o[0])
w.cumsum_(0)
w.lt_(o)
w.eq_(1)
w.logical_and_(o)
w.nan_to_num_()
w.floor_divide_(o + 1)
w.remainder_(o + 1)
w.fmod_(2)
w.atan2_(o)
w.xlogy_(o)
w.masked_fill_(o > 4, 1.0)
w.masked_fill_(w > 4, o[0, 0])
w.masked_scatter_(m, o)
w.index_fill_(0, i, 1.0)
w.index_copy_(0, i, o)
w.index_add_(0, i, o)
w.scatter_(0, j, o)
w.scatter_add_(0, j, o)
w.scatter_(0, j, 1.0)
w.put_(i, o[0])
w.index_put_((i,), o)
w.index_put_((m,), o[0, 0])
w.tril_()
w.triu_()
F.threshold_(w, 1, 2)
F.relu(w, inplace=True)
F.leaky_relu(w, inplace=True)
F.dropout(w, inplace=True)
w.uniform_()
w.normal_()
w.t_()
w.unsqueeze_(0)
w.detach().mul_(o)
w.__setitem__(0, 5)
w.__setitem__(i, o)
w.__setitem__(slice(1, 3), o[:2])
w.__setitem__(m, 1.0)
w.__iadd__(o)
torch.add(o, o, out=w)
torch.mul(o, 2, out=w)
torch.exp(o, out=w)
torch.neg(o, out=w)
torch.mm(m.float(), m.float(), out=w)
torch.cat([o[:1], o[1:]], out=w)
torch.stack([o[0], o[1], o[2]], out=w)
torch.full((3, 3), 2.0, out=w)
torch.zeros(3, 3, out=w)
torch.eye(3, out=w)
torch.rand(3, 3, out=w)
torch.where(m, o, o, out=w)
torch.clamp(o, 0, 1, out=w)
torch.pow(o, 2, out=w)
torch.maximum(o, o, out=w)
torch._foreach_add_([w], [o])
torch._foreach_mul_([w], 2.0)
torch._foreach_zero_([w])
torch._foreach_copy_([w], [o])
"""
WHOLE = """
w.bitwise_and_(o)
w.__ilshift__(o)
w.__ior__(o)
w.scatter_(0, o % 3, 7)
w.index_fill_(0, o[0] % 3, 7)
w.random_()
w.bitwise_not_()
torch.arange(9, out=w)
"""

CASES = [(setting, dtype, expression) for dtype, text in (("float32", FLOATS), ("int64", WHOLE))
         for expression in text.strip().splitlines() for setting in SETTINGS]


def outcome(torch, setting: str, dtype: str, expression: str) -> list:
    """What became of w, or the error. Where w is drawn, or torch reads what it has just written, values don't count."""
    def ramp(n):
        return torch.arange(n, dtype=getattr(torch, dtype))

    known = {"torch": torch, "F": torch.nn.functional, "ramp": ramp, "memory": ramp(LENGTHS.get(setting, 9)),
             "i": torch.tensor([2, 0, 1]), "j": torch.tensor([[2, 0, 1]] * 3), "m": torch.eye(3) > 0}
    written, other = SETTINGS[setting]
    known["w"] = eval(written, known)
    known["o"] = eval(other, known)
    try:
        eval(expression, known)
    except RuntimeError as error:
        return ["refused", str(error)]
    drawn = any(word in expression for word in ("uniform", "normal", "rand", "dropout"))
    return ["done", "" if drawn or setting == "turned" else " ".join(f"{x:.4g}" for x in known["w"].flatten().tolist())]
