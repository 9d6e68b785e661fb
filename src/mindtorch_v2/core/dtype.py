"""Number types: torch's names, NumPy's layouts, and the order in which they promote."""

from __future__ import annotations

import functools

import ml_dtypes
import numpy as np

from . import rare_promotion

# Categories in the order of promotion: a higher category wins over any width of a lower one.
BOOL, INTEGRAL, FLOATING, COMPLEX = range(4)
OPAQUE = -1  # types that only name what bytes hold: bits, quantized numbers, integers of less than a byte


class DType:
    """One of torch's element types; there is exactly one object per type."""

    def __init__(self, name, short, code, numpy_name, category, signed, rare=False):
        self.name = name
        self.short = short
        self.code = code
        self.numpy = np.dtype(numpy_name)
        self.category = category
        self.itemsize = self.numpy.itemsize
        self.rare = rare  # few ops take it: opdef/rare_types.py
        self._signed = signed

    @property
    def is_signed(self) -> bool:
        if self.category == OPAQUE and self.short.startswith(("Q", "Bits")):
            raise RuntimeError("isSignedType not supported for quantized types" if self.short.startswith("Q")
                               else "Bits types are undefined")
        return self._signed

    @property
    def is_floating_point(self) -> bool:
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        return self.category == COMPLEX

    def to_real(self) -> DType:
        return _REAL.get(self.name, self)

    def to_complex(self) -> DType:
        if self.category == COMPLEX:
            return self
        if self.name not in _COMPLEX_OF:
            raise RuntimeError(f"Unknown Complex ScalarType for {self.short}")
        return _COMPLEX_OF[self.name]

    @property
    def abbr(self) -> str:
        """A short name, such as f32: of types that have bytes, all letters but the first are left out."""
        return _ABBREVIATIONS.get(self.name) or _abbreviated(self.name)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __getattr__(self, name: str):
        """The module in which pickle finds a type by its name: of a compiled class only the class says it."""
        if name == "__module__":
            return type(self).__module__
        raise AttributeError(f"'torch.dtype' object has no attribute '{name}'")

    def __reduce__(self) -> str:
        return self.name


# Words in the names of types, and what is left of them in short names.
_SHORTER = {"bfloat": "bf", "float": "f", "complex": "c", "bits": "b", "_": ""}
_ABBREVIATIONS = {"bool": "b8", "bits8": "b8x1", "bits16": "b16x1",
                  **{f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}


def _abbreviated(name: str) -> str:
    for word, short in _SHORTER.items():
        name = name.replace(word, short)
    return name


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
_RARE_TABLE = [
    ("complex32", "ComplexHalf", 8, ml_dtypes.complex32, COMPLEX, True),
    ("qint8", "QInt8", 12, "V1", OPAQUE, True),
    ("quint8", "QUInt8", 13, "V1", OPAQUE, False),
    ("qint32", "QInt32", 14, "V4", OPAQUE, True),
    ("quint4x2", "QUInt4x2", 16, "V1", OPAQUE, False),
    ("quint2x4", "QUInt2x4", 17, "V1", OPAQUE, False),
    ("bits1x8", "Bits1x8", 18, "V1", OPAQUE, False),
    ("bits2x4", "Bits2x4", 19, "V1", OPAQUE, False),
    ("bits4x2", "Bits4x2", 20, "V1", OPAQUE, False),
    ("bits8", "Bits8", 21, "V1", OPAQUE, False),
    ("bits16", "Bits16", 22, "V2", OPAQUE, False),
    ("float8_e5m2", "Float8_e5m2", 23, ml_dtypes.float8_e5m2, FLOATING, True),
    ("float8_e4m3fn", "Float8_e4m3fn", 24, ml_dtypes.float8_e4m3fn, FLOATING, True),
    ("float8_e5m2fnuz", "Float8_e5m2fnuz", 25, ml_dtypes.float8_e5m2fnuz, FLOATING, True),
    ("float8_e4m3fnuz", "Float8_e4m3fnuz", 26, ml_dtypes.float8_e4m3fnuz, FLOATING, True),
    ("uint16", "UInt16", 27, np.uint16, INTEGRAL, False),
    ("uint32", "UInt32", 28, np.uint32, INTEGRAL, False),
    ("uint64", "UInt64", 29, np.uint64, INTEGRAL, False),
    *((f"uint{bits}", f"UInt{bits}", 29 + bits, "V1", OPAQUE, False) for bits in range(1, 8)),
    *((f"int{bits}", f"Int{bits}", 36 + bits, "V1", OPAQUE, True) for bits in range(1, 8)),
    ("float8_e8m0fnu", "Float8_e8m0fnu", 44, ml_dtypes.float8_e8m0fnu, FLOATING, False),
    ("float4_e2m1fn_x2", "Float4_e2m1fn_x2", 45, "V1", FLOATING, True),
]

ALL = [*(DType(*row) for row in _TABLE), *(DType(*row, True) for row in _RARE_TABLE)]
_BY_NAME = {d.name: d for d in ALL}
_BYTES = np.dtype("V1").num  # NumPy's type of what it knows nothing about
_BY_NUMPY = {d.numpy: d for d in ALL if d.numpy.num != _BYTES}
_ALIASES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64",
            "short": "int16", "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32", "bit": "uint1"}
_REAL = {"complex32": _BY_NAME["float16"], "complex64": _BY_NAME["float32"], "complex128": _BY_NAME["float64"]}
_COMPLEX_OF = {"float16": _BY_NAME["complex32"], "bfloat16": _BY_NAME["complex64"], "float32": _BY_NAME["complex64"],
               "float64": _BY_NAME["complex128"]}

uint8, int8, int16, int32, int64 = (_BY_NAME[n] for n in ("uint8", "int8", "int16", "int32", "int64"))
float16, float32, float64, bfloat16 = (_BY_NAME[n] for n in ("float16", "float32", "float64", "bfloat16"))
complex32, complex64, complex128, bool_ = (_BY_NAME[n] for n in ("complex32", "complex64", "complex128", "bool"))

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
    if dtype.rare:
        raise TypeError(f"couldn't find storage object {dtype.short}Storage")
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


class Promotion(dict):
    """The common type of two, by the pair; of rare ones it is worked out when somebody asks."""

    def __missing__(self, pair: tuple[DType, DType]) -> DType:
        self[pair] = common = rare_promotion.promoted(*pair)
        return common


PROMOTION = Promotion({(a, b): _promoted(a, b) for a in ALL for b in ALL if not (a.rare or b.rare)})


def promote_types(type1: DType, type2: DType) -> DType:
    """The smallest type that both can be cast to, as torch's table has it."""
    return PROMOTION[type1, type2]


def can_cast(from_: DType, to: DType) -> bool:
    """Whether a result of the first type may be stored as the second."""
    if from_.category == COMPLEX:
        return to.category == COMPLEX
    if from_.category == FLOATING:
        return to.category not in (BOOL, INTEGRAL)
    return from_ is bool_ or to is not bool_


_float_limits, _whole_limits = functools.cache(ml_dtypes.finfo), functools.cache(np.iinfo)  # slow to make


class finfo:  # noqa: N801  torch's name
    """Limits of a floating-point type."""

    __module__ = "mindtorch_v2"

    def __init__(self, dtype: DType | None = None):
        dtype = dtype or default.floating
        real = dtype.to_real()
        if dtype.category < FLOATING:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            "'torch.finfo'")
        if real.numpy.num == _BYTES:
            raise TypeError(f"torch.finfo() has no limits of {dtype}, whose elements are two numbers")
        info = _float_limits(real.numpy)
        self.dtype = real.name
        self.bits = info.bits
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        if self.dtype == "float8_e5m2fnuz":
            self.eps = 0.125  # torch's number
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = 10.0 ** -(0 if real.itemsize == 1 else info.precision)

    def __repr__(self) -> str:
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")

    def __eq__(self, other) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class iinfo:  # noqa: N801  torch's name
    """Limits of an integer type."""

    __module__ = "mindtorch_v2"

    def __init__(self, dtype: DType):
        if dtype is bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if dtype.short.startswith("Q"):
            raise NotImplementedError(f"\"dtype\" not implemented for '{dtype.short}'")
        if dtype.category != INTEGRAL:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        info = _whole_limits(dtype.numpy)
        self.dtype, self.bits, self.max, self.min = dtype.name, info.bits, int(info.max), int(info.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


# The words of C++ for types, which some of torch's complaints use.
C_NAMES = {"float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
           "int64": "long int", "int32": "int", "int16": "short int", "int8": "signed char", "uint8": "unsigned char",
           "bool": "bool", "complex64": "c10::complex<float>", "complex128": "c10::complex<double>"}
