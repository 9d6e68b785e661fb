"""Forms of functions of two tensors where one of them is a number."""

from __future__ import annotations

from functools import cache

from ...core.tensor import Tensor
from ...dispatch.bind import wrap_number
from ...dispatch.dispatcher import run_kernel
from ...opdef import table
from ...opdef.form import declare


def declare_with_numbers(name: str, doc: str, params: tuple[str, str], first_grads: dict, second_grads: dict) -> None:
    """A function of two tensors with a number in the place of one: torch shows one row, the cast within it.

    The derivatives are facets for the form with a number first, and for that with a number second.
    """
    first, second = params
    form = cache(lambda overload: table.find(name, overload))  # when it is called, not when it is declared

    def body(a, b, out=None):
        operands = tuple([value if isinstance(value, Tensor) else wrap_number(value) for value in (a, b)])
        return run_kernel(form(""), operands) if out is None else run_kernel(form("out"), (*operands, out))

    for overload, sentence, grads in ((f"{first}_scalar", f"Scalar {first}, Tensor {second}", first_grads),
                                      (f"{second}_scalar", f"Tensor {first}, Scalar {second}", second_grads)):
        facets = grads or {"below": "torch has no derivative for it"}
        declare(f"{name}.{overload}({sentence}) -> Tensor", doc, variants=f"{overload}_out", body=body, **facets)
