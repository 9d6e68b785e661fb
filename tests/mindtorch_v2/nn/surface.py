"""What torch.nn and its modules offer: public names, and the parameters of functions, constructors and forward()."""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
import re
import types

QUANTISED = ("nn.intrinsic", "nn.qat", "nn.quantizable", "nn.quantized")  # re-exports of torch.ao
GATHERED = ("nn", "nn.functional")  # modules whose names are defined in others below torch.nn


def addresses(package: str) -> list[str]:
    """torch.nn and everything below it that is not private, without the package's own name."""
    root = importlib.import_module(f"{package}.nn")
    below = [info.name for info in pkgutil.walk_packages(root.__path__, f"{package}.nn.", onerror=lambda name: None)]
    plain = [name.removeprefix(package + ".") for name in below if "._" not in name]
    return ["nn", *sorted(name for name in plain if not name.startswith(QUANTISED))]


def names_of(module: types.ModuleType, package: str) -> list[str]:
    """What a module exports, or else what is defined in it or stands in it as a compiled function."""
    listed = set(getattr(module, "__all__", ()))
    own = {name for name, value in vars(module).items() if not name.startswith("_") and _is_own(value, module, package)}
    return sorted(listed | own)


def _is_own(value, module: types.ModuleType, package: str) -> bool:
    home = getattr(value, "__module__", None) or ""
    is_gathered = module.__name__.removeprefix(package + ".") in GATHERED
    if isinstance(value, types.BuiltinFunctionType):
        return is_gathered and home in (package, f"{package}._C._nn")
    if not isinstance(value, (type, types.FunctionType)):
        return False
    return home == module.__name__ or is_gathered and home.startswith(f"{package}.nn.")


def described(value) -> dict:
    """A function by its parameters; a class by those of its constructor and of forward, and by its public members."""
    if isinstance(value, type):
        names = {*dir(value), *(("name", "value") if issubclass(value, enum.Enum) else ())}  # which dir() leaves out
        members = sorted(name for name in names if not name.startswith("_") and not _is_of_tensor(value, name))
        return {"init": parameters(value), "forward": parameters(getattr(value, "forward", None)), "members": members}
    return {"call": parameters(value)} if isinstance(value, types.FunctionType) else {}


def _is_of_tensor(cls: type, name: str) -> bool:
    """Whether a class has a member from Tensor, whose surface is another subject."""
    return any(base.__name__ in ("Tensor", "TensorBase") and hasattr(base, name) for base in cls.__mro__[1:])


def parameters(function) -> str | None:
    """Names, kinds and defaults as one text, without types and addresses; None where nothing can be asked."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return re.sub(" at 0x[0-9a-f]+", "", str(signature.replace(parameters=plain, return_annotation=signature.empty)))
