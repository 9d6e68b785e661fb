"""What classes and functions are called in saved files: torch's module, wherever we keep them."""

from __future__ import annotations

import importlib
from functools import cache

PACKAGE = __name__.partition(".")[0]

# Our modules whose members torch has elsewhere, and where; all other addresses are the same.
MOVED = {
    "api.pickling": "_utils",
    "api.typed_storage": "storage",
    "autograd.hooks": "utils.hooks",
    "core.device": "serialization",
    "nn.modules.adaptive_pooling": "nn.modules.pooling",
    "nn.modules.lazy_conv": "nn.modules.conv",
    "nn.modules.loss_base": "nn.modules.loss",
    "nn.modules.margin_loss": "nn.modules.loss",
    "nn.modules.multihead_attention": "nn.modules.activation",
    "nn.modules.parameter_container": "nn.modules.container",
    "nn.modules.rnn_cell": "nn.modules.rnn",
    "nn.modules.transformer_layers": "nn.modules.transformer",
    "nn.uninitialized": "nn.parameter",
    "nn.utils.orthogonal": "nn.utils.parametrizations",
    "nn.utils.parametrization_list": "nn.utils.parametrize",
    "ops.python.storage": "storage",
    "ops.random.generator": "random",
    "serialization.safe_globals": "serialization",
    "optim.adafactor": "optim",
    "optim.muon": "optim",
    "optim.step_range": "optim.optimizer",
    **{f"nn._functional.{name}": "nn.functional" for name in (
        "activation", "attention_masks", "batch_norm", "columns", "dropout", "embedding", "grids", "layers",
        "linear_cross_entropy", "losses", "margin_losses", "multi_head_attention", "pooling", "upsampling")},
}
# Single members that stand apart from the others of their module.
APART = {
    ("api.pickling", "_rebuild_from_type_v2"): "_tensor",
    ("nn.parameter", "_rebuild_parameter"): "_utils",
    ("nn.parameter", "_rebuild_parameter_with_state"): "_utils",
    ("ops.random.generator", "Generator"): "_C",
}


@cache
def torch_module(module: str, name: str) -> str | None:
    """torch's module of a member of ours, which may say torch's name already; None of what is somebody else's."""
    if not is_torch_module(module):
        return None
    path = module.partition(".")[2]
    place = APART.get((path, name)) or MOVED.get(path, path)
    return f"torch.{place}" if place and not _is_at_the_top(module, name) else "torch"


def _is_at_the_top(module: str, name: str) -> bool:
    """Whether a member of a room that torch does not have is shown as torch's own, such as torch.float32."""
    path = module.partition(".")[2]
    if path in MOVED or path.split(".")[0] not in ("api", "core", "ops"):
        return False
    return hasattr(importlib.import_module(PACKAGE), name)


@cache
def _modules_at(place: str) -> tuple[str, ...]:
    """Our modules that may hold members of a module of torch's."""
    moved = [path for path, there in MOVED.items() if there == place]
    apart = [path for (path, _), there in APART.items() if there == place]
    return (place, *dict.fromkeys(moved + apart))


def find(module: str, name: str):
    """The member of ours that a file calls by torch's name."""
    place = module.partition(".")[2]
    for path in _modules_at(place):
        try:
            member = importlib.import_module(f"{PACKAGE}.{path}" if path else PACKAGE)
        except ModuleNotFoundError:
            continue
        try:
            for part in name.split("."):
                member = getattr(member, part)
        except AttributeError:
            continue
        return member
    raise AttributeError(f"Can't get attribute '{name}' on '{module}': it is not in mindtorch_v2 yet")


def is_torch_module(module: str) -> bool:
    """Whether a file means torch, or us, by the name of a module."""
    return module.partition(".")[0] in ("torch", PACKAGE)
