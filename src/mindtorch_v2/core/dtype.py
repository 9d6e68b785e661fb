"""Number types: torch's names, NumPy's layouts, and the order in which they promote."""

from __future__ import annotations

import ml_dtypes
import numpy as np

# Categories in the order of promotion: a higher category wins over any width of a lower one.
BOOL, INTEGRAL, FLOATING, COMPLEX = range(4)


class DType:
    """One of torch's element types; there is exactly one object per type."""

    def __init__(self, name, short, code, numpy_name, category, signed):
        self.name = name
        self.short = short
        self.code = code
        self.numpy = np.dtype(numpy_name)
        self.category = category
        self.itemsize = self.numpy.itemsize
        self.is_signed = signed

    @property
    def is_floating_point(self) -> bool:
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        return self.category == COMPLEX

    def to_real(self) -> DType:
        return _REAL.get(self.name, self)

    def to_complex(self) -> DType:
        return _COMPLEX_OF.get(self.name, self)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self):
        return by_name, (self.name,)


# name, the word in error messages and traces, torch's scalar-type number, NumPy type, category, signed
_TABLE = [
    ("uint8", "Byte", 0, np.uint8, INTEGRAL, False),
    ("int8", "Char", 1, np.int8, INTEGRAL, True),
    ("int16", "Short", 2, np.int16, INTEGRAL, True),
    ("int32", "Int", 3, np.int32, INTEGRAL, True),
    ("int64", "Long", 4, np.int64, INTEGRAL, True),
    ("float16", "Half", 5, np.float16, FLOATING, True),
    ("float32", "Float", 6, np.float32, FLOATING, True),
    ("float64", "Double", 7, np.float64, FLOATING, True),
    ("complex64", "ComplexFloat", 9, np.complex64, COMPLEX, True),
    ("complex128", "ComplexDouble", 10, np.complex128, COMPLEX, True),
    ("bool", "Bool", 11, np.bool_, BOOL, False),
    ("bfloat16", "BFloat16", 15, ml_dtypes.bfloat16, FLOATING, True),
]

ALL = [DType(*row) for row in _TABLE]
_BY_NAME = {d.name: d for d in ALL}
_BY_NUMPY = {d.numpy: d for d in ALL}
_ALIASES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64",
            "short": "int16", "cfloat": "complex64", "cdouble": "complex128"}
_REAL = {"complex64": _BY_NAME["float32"], "complex128": _BY_NAME["float64"]}
_COMPLEX_OF = {name: _BY_NAME["complex64"] for name in ("float16", "bfloat16", "float32")}  # there is no complex32
_COMPLEX_OF["float64"] = _BY_NAME["complex128"]

uint8, int8, int16, int32, int64 = (_BY_NAME[n] for n in ("uint8", "int8", "int16", "int32", "int64"))
float16, float32, float64, bfloat16 = (_BY_NAME[n] for n in ("float16", "float32", "float64", "bfloat16"))
complex64, complex128, bool_ = (_BY_NAME[n] for n in ("complex64", "complex128", "bool"))

# torch's addresses: torch.float32, torch.float, torch.long …
EXPORTS = {**_BY_NAME, **{alias: _BY_NAME[name] for alias, name in _ALIASES.items()}}


def by_name(name: str) -> DType:
    return EXPORTS[name]


def of_numpy(dtype: np.dtype) -> DType:
    """The torch type of a NumPy type, or torch's complaint about a type it does not have."""
    ours = _BY_NUMPY.get(dtype)
    if ours is None:
        kind = dtype.name if dtype.names is None else "void"
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{dtype.type.__name__ if kind else kind}. The only supported types "
            "are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
            "uint8, and bool."
        )
    return ours


class Default:
    """The type of numbers that come without one."""

    def __init__(self):
        self.floating = float32


default = Default()


def get_default_dtype() -> DType:
    return default.floating


def set_default_dtype(dtype) -> None:
    if not isinstance(dtype, DType):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    default.floating = dtype


def of_scalar(value) -> DType:
    """The type a Python number takes when it becomes a tensor of its own."""
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    if isinstance(value, complex):
        return default.floating.to_complex()
    return default.floating


def default_of(category: int) -> DType:
    return (bool_, int64, default.floating, default.floating.to_complex())[category]


def _promoted(a: DType, b: DType) -> DType:
    if a is b:
        return a
    if a.category != b.category:
        low, high = (a, b) if a.category < b.category else (b, a)
        if high.category == COMPLEX and low is float64:
            return complex128
        return high
    if a.category == FLOATING and a.itemsize == b.itemsize:
        return float32  # float16 with bfloat16: neither holds the other
    if a.category == INTEGRAL and a.is_signed != b.is_signed:
        signed = a if a.is_signed else b
        return int16 if signed is int8 else signed
    return a if a.itemsize > b.itemsize else b


PROMOTION = {(a, b): _promoted(a, b) for a in ALL for b in ALL}


def promote_types(type1: DType, type2: DType) -> DType:
    """The smallest type that both can be cast to, as torch's table has it."""
    return PROMOTION[type1, type2]


def can_cast(from_: DType, to: DType) -> bool:
    """Whether an in-place result of the first type may be stored as the second."""
    return from_.category <= to.category


class finfo:  # noqa: N801  torch's name
    """Limits of a floating-point type."""

    __module__ = "mindtorch_v2"

    def __init__(self, dtype: DType | None = None):
        dtype = dtype or default.floating
        if dtype.category < FLOATING:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            "'torch.finfo'")
        info = ml_dtypes.finfo(dtype.to_real().numpy)
        self.dtype = dtype.to_real().name
        self.bits = info.bits
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = 10.0 ** -info.precision

    def __repr__(self) -> str:
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:  # noqa: N801  torch's name
    """Limits of an integer type."""

    __module__ = "mindtorch_v2"

    def __init__(self, dtype: DType):
        if dtype.category != INTEGRAL:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        info = np.iinfo(dtype.numpy)
        self.dtype, self.bits, self.max, self.min = dtype.name, info.bits, int(info.max), int(info.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


# The words of C++ for types, which some of torch's complaints use.
C_NAMES = {"float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
           "int64": "long int", "int32": "int", "int16": "short int", "int8": "signed char", "uint8": "unsigned char",
           "bool": "bool", "complex64": "c10::complex<float>", "complex128": "c10::complex<double>"}
