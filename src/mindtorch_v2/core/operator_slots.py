"""What an operator sign calls. Tensors know only this much of ops, which stand above them."""

from __future__ import annotations


class Callable:
    """Something that can be called with one or two operands at C speed; dispatch/ fills it in."""

    def call1(self, first):
        raise NotImplementedError

    def call2(self, first, second):
        raise NotImplementedError


class Operators:
    """One place for each of Python's operator signs and conversions; filled when ops/ is loaded."""

    def __init__(self):
        missing = Callable()  # a sign without an op says so when it is used
        # Ops: an operator sign is a call of one of them.
        self.add = self.sub = self.rsub = self.mul = self.div = self.floor_divide = self.remainder = missing
        self.pow = self.matmul = self.neg = self.absolute = self.invert = self.lshift = self.rshift = missing
        self.and_ = self.or_ = self.xor = self.rand = self.ror = self.rxor = self.positive = missing
        self.rlshift = self.rrshift = self.ilshift = self.irshift = missing
        self.eq = self.ne = self.lt = self.le = self.gt = self.ge = missing
        self.iadd = self.isub = self.imul = self.idiv = self.ifloordiv = self.imod = self.ipow = missing
        self.iand = self.ior = self.ixor = missing
        # Plain functions of tensors: what takes more than one op, or none.
        self.rtruediv = self.rfloordiv = self.rmod = None
        self.getitem = self.setitem = self.iterate = self.contains = self.length = None
        self.to_bool = self.to_float = self.to_int = self.to_index = self.to_complex = self.text = None
        self.construct = None
        # Asks __torch_function__ about a member of a tensor, and the one of classes that are not to be asked.
        self.answer = self.disabled = self.ask_getitem = self.ask_setitem = None


operators = Operators()


def bind(sign: str, callee) -> None:
    """Say what an operator sign calls."""
    setattr(operators, sign, callee)


def unbound() -> list[str]:
    """The operator signs that call nothing yet."""
    callees = {sign: getattr(operators, sign) for sign in dir(operators) if not sign.startswith("_")}
    return [sign for sign, callee in callees.items() if callee is None or type(callee) is Callable]
