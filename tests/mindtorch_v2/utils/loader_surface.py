"""What torch.utils.data and torch.multiprocessing offer: names and parameters."""

from __future__ import annotations

import inspect
import re
import types

ADDRESSES = ("utils.data", "utils.data.dataloader", "utils.data.dataset", "utils.data.sampler",
             "utils.data.distributed", "utils.data.graph", "utils.data.graph_settings", "utils.data._utils",
             "utils.data._utils.collate",
             "utils.data._utils.fetch", "utils.data._utils.pin_memory", "utils.data._utils.worker", "multiprocessing",
             "multiprocessing.reductions", "multiprocessing.queue", "multiprocessing.pool")


def facts(module: types.ModuleType) -> dict[str, dict]:
    """By name, what each function and class of a module takes, and what each class offers."""
    listed = set(getattr(module, "__all__", ()))
    own = {name for name, value in vars(module).items() if isinstance(value, (type, types.FunctionType))
           and value.__module__ == module.__name__}
    return {name: described(getattr(module, name)) for name in sorted(listed | own)}


def described(value) -> dict:
    """A function or class by its parameters, a class by its public members too."""
    members = [name for name in dir(value) if not name.startswith("_")] if isinstance(value, type) else []
    return {"takes": parameters(value), "members": members}


def parameters(function) -> str | None:
    """Names, kinds and defaults as one text, without types; None where nothing can be asked."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    text = str(signature.replace(parameters=plain, return_annotation=signature.empty))
    return re.sub(r"<torch.*?Generator object.*?>", "default_generator", text)
