"""What a row remembers of its inputs, read as torch shows it: shapes, strides, types, plain values.

A tensor is described as ``(shape, dtype, strides)``, one without strides as ``(shape, dtype, (), layout)``, a list as
``("[]", ...)``, a float, bool or text as ``(type, value)``, an int or None as itself, a dtype or layout as ``("code",
number)``, keyword inputs as ``("{}", (key, value)...)``.
"""

from __future__ import annotations

# torch's traces show the C++ type.
CPP_TYPES = {
    "float32": "float", "float64": "double", "int64": "long int", "int32": "int", "int16": "short int",
    "int8": "signed char", "uint8": "unsigned char", "bool": "bool", "bfloat16": "c10::BFloat16",
    "float16": "c10::Half", "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
    "uint16": "short unsigned int", "uint32": "unsigned int", "uint64": "long unsigned int",
}
NUMBERS = ("int", "float", "bool", "complex", "code")


def is_tensor(value) -> bool:
    return isinstance(value, tuple) and len(value) in (3, 4) and isinstance(value[0], tuple)


def is_tensor_list(value) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and value[0] == "[]" and all(is_tensor(v) for v in value[1:])


def positional(described: tuple) -> tuple:
    return tuple(v for v in described if not is_keywords(v))


def is_keywords(value) -> bool:
    return isinstance(value, tuple) and value[:1] == ("{}",)


def shapes(described: tuple) -> list:
    """``input_shapes``: a list per input, empty for whatever is not one tensor."""
    return [list(v[0]) if is_tensor(v) else [] for v in positional(described)]


def structured(described: tuple, part: int = 0) -> list:
    """Shapes (part 0) or strides (part 2), one level deeper for lists of tensors."""
    return [list(v[part]) if is_tensor(v) else [list(t[part]) for t in v[1:]] if is_tensor_list(v) else []
            for v in positional(described)]


def types(described: tuple) -> list[str]:
    """``Input type``: the C++ type of a tensor, Scalar, ScalarList, TensorList, or nothing."""
    return [_type(v) for v in positional(described)]


def _type(value) -> str:
    if is_tensor(value):
        return CPP_TYPES.get(value[1], value[1])
    if is_tensor_list(value):
        return "TensorList"
    if isinstance(value, int):
        return "Scalar"
    if isinstance(value, tuple) and value:
        if value[0] == "[]":
            return "ScalarList" if all(_type(v) == "Scalar" for v in value[1:]) else ""
        return "Scalar" if value[0] in NUMBERS and value[1] is not None else ""
    return ""


def concrete(described: tuple) -> list:
    """``concrete_inputs``: numbers and lists of numbers as they were, None for everything else."""
    return [_value(v) if _type(v) in ("Scalar", "ScalarList") else None for v in positional(described)]


def _value(value):
    if isinstance(value, tuple):
        return [_value(v) for v in value[1:]] if value[0] == "[]" else value[1]
    return value


def number(value):
    """A number as it was, None for whatever is not one number."""
    return _value(value) if _type(value) == "Scalar" else None


def concrete_text(described: tuple) -> list[str]:
    """``Concrete Inputs`` of a trace: the same as text in C++'s spelling, empty for everything else."""
    return ["" if v is None else number_text(v) for v in concrete(described)]


def number_text(value) -> str:
    """A number as C++ writes it: 17 digits, and a point that says it is not an integer."""
    if isinstance(value, list):
        return "[" + ", ".join(map(number_text, value)) + "]"
    if isinstance(value, complex):
        imaginary = number_text(value.imag)
        return number_text(value.real) + ("" if imaginary.startswith("-") else "+") + imaginary + "j"
    if isinstance(value, float):
        text = f"{value:.17g}"
        return text + "." if text.lstrip("-").isdigit() else text
    return str(value)


def keywords(described: tuple) -> dict:
    """Keyword inputs of a range, as they were given."""
    return {key: _value(v) for given in described if is_keywords(given) for key, v in given[1:]}
