"""assert_close: tensors, numbers and containers of them, compared within tolerances."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import dtype as dtypes
from ..core.sparse import is_coo, is_sparse
from ..core.tensor import Tensor
from ..ops.python.construct import as_tensor
from .messages import make_bitwise_mismatch_msg, make_scalar_mismatch_msg, make_tensor_mismatch_msg

# rtol, atol; what is not here must be equal
_PRECISIONS = {dtypes.float16: (1e-3, 1e-5), dtypes.bfloat16: (1.6e-2, 1e-5), dtypes.float32: (1.3e-6, 1e-5),
               dtypes.float64: (1e-7, 1e-7), dtypes.complex64: (1.3e-6, 1e-5), dtypes.complex128: (1e-7, 1e-7)}
_NUMBERS = {bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128}
_DEPRECATED = ("`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. "
               "Please use `torch.testing.assert_close()` instead. You can find detailed upgrade instructions in "
               "https://github.com/pytorch/pytorch/issues/61844.")


class ErrorMeta(Exception):  # noqa: N818  torch's name
    """An error that is raised with the place in the containers where it occurred."""

    def __init__(self, kind: type[Exception], text: str, path: tuple = ()) -> None:
        self.kind, self.text, self.path = kind, text, path

    def error(self, msg: str | Callable[[str], str] | None) -> Exception:
        """The error to raise."""
        text = self.text
        if self.path:
            text += f"\n\nThe failure occurred for item {''.join(f'[{key!r}]' for key in self.path)}"
        if self.kind is AssertionError and msg is not None:
            text = msg(text) if callable(msg) else msg
        return self.kind(text)


@dataclass
class _Options:
    """How to compare."""

    rtol: float | None
    atol: float | None
    equal_nan: bool
    allow_subclasses: bool
    checks: dict[str, bool]

    def tolerances(self, *kinds: dtypes.DType) -> tuple[float, float]:
        """Those that were given, else the widest of the types'."""
        if self.rtol is not None:
            return self.rtol, self.atol
        pairs = [_PRECISIONS.get(kind, (0.0, 0.0)) for kind in kinds]
        return max(rtol for rtol, _ in pairs), max(atol for _, atol in pairs)


def assert_close(actual: Any, expected: Any, *, allow_subclasses: bool = True, rtol: float | None = None,
                 atol: float | None = None, equal_nan: bool = False, check_device: bool = True,
                 check_dtype: bool = True, check_layout: bool = True, check_stride: bool = False,
                 msg: str | Callable[[str], str] | None = None) -> None:
    """An AssertionError unless every number is within ``atol + rtol * |expected|`` of what is expected."""
    if (rtol is None) != (atol is None):
        raise ValueError("Both 'rtol' and 'atol' must be either specified or omitted, but got no "
                         f"{'rtol' if rtol is None else 'atol'}.")
    options = _Options(rtol, atol, equal_nan, allow_subclasses, {
        "layout": check_layout, "device": check_device, "dtype": check_dtype, "stride()": check_stride})
    failure = None
    try:
        for mine, theirs, path in _pairs(actual, expected, ()):
            _compare(mine, theirs, path, options)
    except ErrorMeta as error:
        failure = error.error(msg)
    if failure is not None:
        raise failure


def assert_allclose(actual: Any, expected: Any, rtol: float | None = None, atol: float | None = None,
                    equal_nan: bool = True, msg: str = "") -> None:
    """The older form, which compares values alone."""
    warnings.warn(_DEPRECATED, FutureWarning, stacklevel=2)
    actual = actual if isinstance(actual, Tensor) else as_tensor(actual)
    expected = expected if isinstance(expected, Tensor) else as_tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        older = {dtypes.float16: (1e-3, 1e-3), dtypes.float32: (1e-4, 1e-5), dtypes.float64: (1e-5, 1e-8)}
        pairs = [older.get(kind, (0.0, 0.0)) for kind in (actual.dtype, expected.dtype)]
        rtol, atol = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_device=True, check_dtype=False,
                 check_stride=False, msg=msg or None)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _pairs(actual: Any, expected: Any, path: tuple) -> list[tuple[Any, Any, tuple]]:
    """What is to be compared, containers opened."""
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            raise ErrorMeta(AssertionError, f"The length of the sequences mismatch: {len(actual)} != {len(expected)}",
                            path)
        keys = range(len(actual))
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        missing, additional = set(expected) - set(actual), set(actual) - set(expected)
        if missing or additional:
            raise ErrorMeta(AssertionError, "The keys of the mappings do not match:\n"
                            f"Missing keys in the actual mapping: {sorted(missing)}\n"
                            f"Additional keys in the actual mapping: {sorted(additional)}", path)
        try:
            keys = sorted(actual)
        except TypeError:
            keys = list(actual)
    else:
        return [(actual, expected, path)]
    return [pair for key in keys for pair in _pairs(actual[key], expected[key], (*path, key))]


def _compare(actual: Any, expected: Any, path: tuple, options: _Options) -> None:
    """One pair: None, truth values, numbers or tensors."""
    if actual is None or expected is None:
        if actual is not expected:
            raise ErrorMeta(AssertionError, f"None mismatch: {actual} is not {expected}", path)
    elif all(isinstance(value, (bool, np.bool_)) for value in (actual, expected)):
        if bool(actual) is not bool(expected):
            raise ErrorMeta(AssertionError, f"Booleans mismatch: {actual} is not {expected}", path)
    elif all(isinstance(value, (int, float, complex, np.number)) for value in (actual, expected)):
        _compare_numbers(actual, expected, path, options)
    else:
        _compare_tensors(actual, expected, path, options)


def _plain(value: Any) -> int | float | complex:
    return value.item() if isinstance(value, np.number) else value


def _compare_numbers(actual: Any, expected: Any, path: tuple, options: _Options) -> None:
    actual, expected = _plain(actual), _plain(expected)
    if options.checks["dtype"] and type(actual) is not type(expected):
        raise ErrorMeta(AssertionError, f"The (d)types do not match: {type(actual)} != {type(expected)}.", path)
    rtol, atol = options.tolerances(_NUMBERS[type(actual)], _NUMBERS[type(expected)])
    close = actual == expected or options.equal_nan and actual != actual and expected != expected or (
        np.isfinite(abs(actual)) and abs(actual - expected) <= atol + rtol * abs(expected))
    if not close:
        raise ErrorMeta(AssertionError, make_scalar_mismatch_msg(actual, expected, rtol, atol), path)


def _tensors(actual: Any, expected: Any, path: tuple, options: _Options) -> tuple[Tensor, Tensor]:
    """Both as tensors; an error for what is none and cannot be one."""
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if type(actual) is type(expected) or options.allow_subclasses and related:
        try:
            return tuple(value if isinstance(value, Tensor) else as_tensor(value) for value in (actual, expected))
        except Exception:  # noqa: BLE001  whatever as_tensor() complains of, it is no tensor
            pass
    raise ErrorMeta(TypeError, "No comparison pair was able to handle inputs of type "
                    f"{type(actual)} and {type(expected)}.", path)


def _compare_tensors(actual: Any, expected: Any, path: tuple, options: _Options) -> None:
    actual, expected = _tensors(actual, expected, path, options)
    rtol, atol = options.tolerances(actual.dtype, expected.dtype)
    facts = [("shape", actual.shape, expected.shape)]
    facts += [(name, *_attributes(name, actual, expected)) for name, checked in options.checks.items() if checked]
    for name, mine, theirs in facts:
        if mine != theirs:
            text = f"The values for attribute '{name}' do not match: {mine} != {theirs}."
            raise ErrorMeta(AssertionError, text, path)
    actual, expected = actual.detach(), expected.detach()
    if actual.is_meta or expected.is_meta:
        return
    if actual.dtype != expected.dtype:
        wider = (actual.new_empty(0) + expected.new_empty(0)).dtype
        actual, expected = actual.to(wider), expected.to(wider)
    if actual.layout != expected.layout:
        actual, expected = (value.to_dense() if is_sparse(value) else value for value in (actual, expected))
    if is_sparse(actual) and is_sparse(expected):
        _compare_parts(actual, expected, path, (rtol, atol), options.equal_nan)
    else:
        _compare_values(actual, expected, path, (rtol, atol), options.equal_nan)


def _compare_values(actual: Tensor, expected: Tensor, path: tuple, tolerances: tuple[float, float], equal_nan: bool,
                    name: str = "Tensor-likes") -> None:
    """The numbers of two dense tensors of one shape."""
    rtol, atol = tolerances
    is_bitwise = actual.dtype.is_floating_point and actual.element_size() == 1  # floats of eight bits are equal or not
    if is_bitwise:
        if rtol or atol:
            raise ErrorMeta(AssertionError, f"Rtol={rtol} and atol={atol} are not supported for bitwise comparison of "
                            "low dimensional floats. Please use rtol=0.0 and atol=0.0.", path)
        matches = actual.float().isclose(expected.float(), rtol=0, atol=0, equal_nan=equal_nan)
    else:
        matches = actual.isclose(expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if matches.all():
        return
    if actual.dim() == 0:
        text = make_scalar_mismatch_msg(actual.item(), expected.item(), rtol, atol)
    elif is_bitwise:
        text = make_bitwise_mismatch_msg(matches)
    else:
        text = make_tensor_mismatch_msg(actual, expected, matches, rtol, atol, name)
    raise ErrorMeta(AssertionError, text, path)


def _compare_parts(actual: Tensor, expected: Tensor, path: tuple, tolerances: tuple[float, float],
                   equal_nan: bool) -> None:
    """Two sparse tensors of one layout: their indices, which must be equal, then their values."""
    name = f"{actual.layout!r}".removeprefix("torch.sparse_").upper()
    if is_coo(actual) and actual.is_coalesced() != expected.is_coalesced():
        actual, expected = actual.coalesce(), expected.coalesce()
    if actual._nnz() != expected._nnz():
        raise ErrorMeta(AssertionError, f"The number of specified values in sparse {name} tensors does not match: "
                        f"{actual._nnz()} != {expected._nnz()}", path)
    *indices, values = zip(actual._mt_kind.parts, expected._mt_kind.parts)
    for mine, theirs in indices:
        _compare_values(mine, theirs, path, (0.0, 0.0), equal_nan, f"Sparse {name} indices")
    _compare_values(*values, path, tolerances, equal_nan, f"Sparse {name} values")


def _attributes(name: str, actual: Tensor, expected: Tensor) -> tuple:
    if name == "stride()":
        return actual.stride(), expected.stride()
    return getattr(actual, name), getattr(expected, name)
