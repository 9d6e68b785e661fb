"""Tuples with names: those of collections, and those that Python and torch return."""

from __future__ import annotations

from ..opdef.results import is_named

_MAY_BE_SUBCLASSED = 1 << 10  # of the flags of a class


def is_namedtuple_class(cls: type) -> bool:
    """Whether a class is one of named tuples."""
    return isinstance(cls, type) and issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple) \
        and all(type(field) is str for field in cls._fields) \
        and all(callable(getattr(cls, name, None)) for name in ("_make", "_asdict"))


def is_namedtuple_instance(obj) -> bool:
    """Whether an object is a named tuple."""
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj) -> bool:
    """Whether an object, or a class, is a named tuple."""
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_class(cls: type) -> bool:
    """Whether a class is one of torch.return_types, which are named tuples here, or of Python's own such tuples."""
    if is_namedtuple_class(cls):
        return is_named(cls)
    return isinstance(cls, type) and cls.__bases__ == (tuple,) and not cls.__flags__ & _MAY_BE_SUBCLASSED and all(
        isinstance(getattr(cls, name, None), int) for name in ("n_fields", "n_sequence_fields", "n_unnamed_fields"))


def is_structseq(obj) -> bool:
    """The same of an object or a class."""
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_instance(obj) -> bool:
    """The same of an object."""
    return is_structseq_class(type(obj))
