"""What an operator sign calls. Tensors know only this much of ops, which stand above them."""

from __future__ import annotations


class Callable:
    """Something that can be called with one or two operands at C speed; dispatch/ fills it in."""

    def call1(self, first):
        raise NotImplementedError

    def call2(self, first, second):
        raise NotImplementedError


class Operators:
    """One place for each of Python's operator signs; filled when ops/ is loaded."""

    def __init__(self):
        self.add = self.sub = self.rsub = self.mul = self.div = self.floor_divide = self.remainder = None
        self.pow = self.matmul = self.neg = self.absolute = self.invert = None
        self.and_ = self.or_ = self.xor = None
        self.eq = self.ne = self.lt = self.le = self.gt = self.ge = None


operators = Operators()


def bind(sign: str, callee: Callable) -> None:
    """Say what an operator sign calls."""
    setattr(operators, sign, callee)
