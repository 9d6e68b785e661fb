"""Calls of a module with other tensors in the place of its parameters and buffers."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator

from ...core.tensor import Tensor
from ..modules.module import Module
from ..parallel.data_parallel import DataParallel

__all__ = ["functional_call"]

_ABSENT = object()  # in the place of a tensor: the module has no such member


def _untie_named_tensors_map(module: Module, parameters_and_buffers: dict[str, Tensor]) -> dict[str, Tensor]:
    """The given tensors under all names that a tensor of the module has."""
    names_of: dict[Tensor, set[str]] = {}
    for members in (module.named_parameters, module.named_buffers):
        for name, tensor in members(remove_duplicate=False):
            names_of.setdefault(tensor, set()).add(name)
    tied = {name: names for names in names_of.values() if len(names) > 1 for name in names}
    untied = dict(parameters_and_buffers)
    for given in [name for name in parameters_and_buffers if name in tied]:
        names = tied[given]
        given_for_them = [name for name in names if name in parameters_and_buffers]
        if len(given_for_them) > 1 and len({id(parameters_and_buffers[name]) for name in names}) != 1:
            raise ValueError(f"functional_call got multiple values for keys {sorted(names)}, which are tied. Consider "
                             "using tie_weights=False")
        untied.update(dict.fromkeys(names, parameters_and_buffers[given]))
    return untied


@contextlib.contextmanager
def _reparametrize_module(module: Module, parameters_and_buffers: dict[str, Tensor], tie_weights: bool = False,
                          strict: bool = False, stack_weights: bool = False) -> Iterator[None]:
    """Inside, the module has the given tensors; afterwards its own, and the dict what the call left behind."""
    given = _untie_named_tensors_map(module, parameters_and_buffers) if tie_weights else parameters_and_buffers
    if strict:
        _check_names(module, given)
    own: dict[str, Tensor] = {}
    try:
        own = _exchange_all(module, given)
        yield
    finally:
        left = _exchange_all(module, dict(reversed(own.items())) if stack_weights else own)
        parameters_and_buffers.update({k: left[k] for k in parameters_and_buffers if k in left})


def _check_names(module: Module, given: dict) -> None:
    names = {name for members in (module.named_parameters, module.named_buffers)
             for name, _ in members(remove_duplicate=False)}
    complaints = []
    for kind, keys in (("Unexpected", given.keys() - names), ("Missing", names - given.keys())):
        if keys:
            complaints.append(f"{kind} key(s): {', '.join(map(repr, sorted(keys)))}.")
    if complaints:
        listed = "\n\t".join(complaints)
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t{listed}")


def _exchange_all(module: Module, tensors: dict) -> dict:
    """Put tensors into a module; what it had is returned, and put back if one of them cannot be put."""
    before: dict = {}
    try:
        for name, tensor in tensors.items():
            before[name] = _exchange(module, name, tensor)
    except Exception:
        for name, tensor in before.items():
            _exchange(module, name, tensor)
        raise
    return before


def _exchange(module: Module, path: str, tensor):
    where, _, name = path.rpartition(".")
    owner = _submodule(module, where)
    if tensor is not _ABSENT and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if name == "":
        raise KeyError('tensor name can\'t be empty string ""')
    for table in (owner._parameters, owner._buffers):
        if name in table:
            before = table[name]
            if tensor is _ABSENT:
                del table[name]
            else:
                table[name] = tensor
                recurrent = owner.__dict__.get("_flat_weights_names", ())
                if name in recurrent:  # recurrent layers keep their weights in a list, too
                    owner._flat_weights[recurrent.index(name)] = tensor
            return before
    before = getattr(owner, name, _ABSENT)
    if before is not _ABSENT and before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is not _ABSENT:
        setattr(owner, name, tensor)
    elif hasattr(owner, name):
        delattr(owner, name)
    return before


def _submodule(module: Module, path: str) -> Module:
    walked: list[str] = []
    for name in path.split(".") if path else ():
        walked.append(name)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        module = getattr(module, name)
        if not isinstance(module, Module):
            raise TypeError(f"submodule `{'.'.join(walked)}`: {module} is not an instance of torch.nn.Module")
    return module


def functional_call(module: Module, parameters_and_buffers: dict[str, Tensor], args=None, kwargs: dict | None = None,
                    *, tie_weights: bool = True, strict: bool = False):
    """The older address of torch.func.functional_call."""
    warnings.warn("`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a "
                  "future version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in "
                  "replacement.", FutureWarning, stacklevel=2)
    return _functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)


def _functional_call(module: Module, parameters_and_buffers: dict[str, Tensor], args=None, kwargs: dict | None = None,
                     *, tie_weights: bool = True, strict: bool = False):
    if isinstance(module, DataParallel):
        raise RuntimeError("The stateless API can't be used with nn.DataParallel module")
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights=tie_weights, strict=strict):
        return module(*args, **(kwargs or {}))
