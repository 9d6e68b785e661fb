"""The names of torch's compilers, so that a wrong one is noticed; none of them is here."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class TorchDynamoException(RuntimeError):  # noqa: N818  torch's name
    """What torch's compiler complains of."""


class InvalidBackend(TorchDynamoException):
    """A compiler of a name that nobody registered."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Invalid backend: {name!r}, see `torch._dynamo.list_backends()` for available backends.")


# name: its tags
BACKENDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("cudagraphs", "inductor", "openxla", "tvm"), ()),
    **dict.fromkeys(("aot_eager", "aot_eager_decomp_partition", "aot_eager_default_partitioner", "aot_ts", "eager",
                     "eager_debug", "eager_noexcept", "openxla_eval", "pre_dispatch_eager", "ts"), ("debug",)),
}
_default: str | Callable = "inductor"


def list_backends(exclude_tags: Sequence[str] | None = ("debug", "experimental")) -> list[str]:
    """The names that torch.compile(backend=...) takes."""
    return sorted(name for name, tags in BACKENDS.items() if not set(tags) & set(exclude_tags or ()))


def register_backend(compiler_fn: Callable | None = None, name: str | None = None, tags: Sequence[str] = ()):
    """Make a compiler's name known; also a decorator."""
    if compiler_fn is None:
        return lambda compiler_fn: register_backend(compiler_fn, name, tags)
    BACKENDS[name or compiler_fn.__name__] = tuple(tags)
    return compiler_fn


def check_backend(backend: str | Callable) -> None:
    """An error for a name that is none of a compiler's."""
    if isinstance(backend, str) and backend not in BACKENDS:
        raise InvalidBackend(backend)


def set_default_backend(backend: str | Callable | None) -> None:
    """The compiler that torch.compile() is to take; None for torch's own."""
    global _default
    _default = "inductor" if backend is None else backend


def get_default_backend() -> str | Callable:
    """The compiler that torch.compile() would take."""
    return _default
