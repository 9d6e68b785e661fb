"""Calls with factors before the tensors they multiply, which torch takes with a warning: ``torch.add(x, 2, y)``."""

from __future__ import annotations

from numbers import Number

from ..core.tensor import Tensor
from ..core.user_warning import warn_user
from . import errors

_PRODUCTS = ("beta self alpha {0} {1}", "beta self {0} {1}")
# By function, the parameters by position.
_FORMS = {
    "add": ("self alpha other",),
    "sub": ("self alpha other",),
    "addcmul": ("self value tensor1 tensor2",),
    "addcdiv": ("self value tensor1 tensor2",),
    **{name: tuple([form.format(*tensors) for form in _PRODUCTS]) for name, tensors in {
        "addmm": ("mat1", "mat2"), "sspaddmm": ("mat1", "mat2"), "addmv": ("mat", "vec"), "addr": ("vec1", "vec2"),
        "addbmm": ("batch1", "batch2"), "baddbmm": ("batch1", "batch2")}.items()},
}
_FACTORS = {"alpha", "beta", "value"}


def reordered(name: str, ops: list, args: tuple, kwargs: dict, is_method: bool) -> tuple[tuple, dict] | None:
    """The call as torch wants it today, of which it warns; None if it is no such call."""
    for form in _FORMS.get(name.removesuffix("_"), ()):
        params = form.split()
        if is_method:
            params = ["self"] + [param for param in params if param != "self"]
        if len(params) == len(args) and all(map(_fits, params, args)):
            warn_user(_warning(name, params[is_method:], errors.listed(ops, is_method)))
            given = dict(zip(params, args))
            factors = {param: given.pop(param) for param in params if param in _FACTORS}
            return tuple(given.values()), {**factors, **kwargs}
    return None


def _fits(param: str, value) -> bool:
    return isinstance(value, Number if param in _FACTORS else Tensor)


def _warning(name: str, params: list[str], instead: list) -> str:
    parts = [f"Number {param}" if param in _FACTORS else f"Tensor {'input' if param == 'self' else param}"
             for param in params]
    if instead[0].out and name != "sspaddmm":
        parts += ["*", instead[0].out]
    signatures = "".join([f"\n\t{name}{signature.text()}" for signature in instead])
    return (f"This overload of {name} is deprecated:\n\t{name}({', '.join(parts)})\nConsider using one of the "
            f"following signatures instead:{signatures}")
