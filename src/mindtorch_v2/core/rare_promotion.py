"""The common type of two where one is rare: mostly there is none, and torch says so."""

from __future__ import annotations

FLOATING = 2
NOT_HANDLED = ("promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, "
               "offending types: {} {}")
NO_FLOAT8 = "Promotion for Float8 Types is not supported, attempted to promote {} and {}"
NO_BITS = "Promotion from {} and {} is unsupported."
NO_UNSIGNED = "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {} and {}"
NONE = "Promotion of {} and {} is not supported"
# What the words of a type begin with, and torch's complaint about it, in torch's order.
COMPLAINTS = (("Q", NOT_HANDLED), ("Bits", NO_BITS), ("Float8", NO_FLOAT8))
PARTS = {"float16": "complex32", "bfloat16": "complex64", "float32": "complex64", "float64": "complex128"}


def promoted(a, b):
    """The common type of two, or torch's complaint."""
    if a is b:
        return a
    for word, complaint in COMPLAINTS:
        if a.short.startswith(word) or b.short.startswith(word):
            raise RuntimeError(complaint.format(a.short, b.short))
    for unsigned, other in ((a, b), (b, a)):
        if unsigned.short.startswith("UInt"):
            if other.category == FLOATING:
                return other
            raise RuntimeError(NO_UNSIGNED.format(a.short, b.short))
    half, other = (a, b) if a.name == "complex32" else (b, a)
    if half.name != "complex32" or other.short.startswith(("Int1", "Float4")) or other.category < 0:
        raise RuntimeError(NONE.format(a.short, b.short))
    return other if other.is_complex else other.to_complex() if other.category == FLOATING else half
