"""Where torch has what we keep elsewhere: the module that a class or function says, in pickles and saved files too."""

from __future__ import annotations

import importlib
import sys
from functools import cache

PACKAGE = __name__.partition(".")[0]


def _into(place: str, *paths: str) -> dict[str, str]:
    """The rows of a table for modules that torch has as one; a path that starts with a dot is below the place."""
    return {f"{place}{path}" if path.startswith(".") else path: place for path in paths}


# Our modules whose members torch has elsewhere, and where; all other addresses are the same.
MOVED = {
    **_into("", "device_modules", "streams", "symbolic_numbers", "threads"),
    **_into("_lowrank", "api.lowrank"),
    **_into("_subclasses.fake_tensor", "_subclasses.fake_errors"),
    **_into("_utils", "api.pickling"),
    **_into("autograd", ".api"),
    **_into("autograd.anomaly_mode", "autograd.anomaly"),
    **_into("autograd.grad_mode", "autograd.layout_policy"),
    **_into("autograd.gradcheck", ".check", ".jacobians"),
    **_into("autograd.graph", "autograd.saved", "autograd.saved_mutation"),
    **_into("autograd.profiler", "profiler.session.nvprof", "profiler.session.record_function"),
    **_into("cpu", ".capabilities"),
    **_into("compiler", ".backends", ".compile"),
    **_into("distributed.distributed_c10d", *(f"distributed.{name}" for name in (
        "barriers", "coalesced", "collectives", "object_collectives", "parts", "point_to_point", "process_group",
        "ranks", "reduce_op", "subgroups", "whole_tensors", "work"))),
    **_into("distributions.constraints", "distributions.composed_constraints", "distributions.constraint"),
    **_into("distributions.kl", "distributions.kl_registry"),
    **_into("functional", "api.function_arguments", "api.older_linalg", "api.reduction_arguments", "api.short_time",
            "api.unique_arguments"),
    **_into("fx._symbolic_trace", "fx.patches"),
    **_into("fx.graph", "fx.code_text", "fx.codegen"),
    **_into("fx.node", "fx.side_effects"),
    **_into("jit", ".modules", ".switches", ".translate"),
    **_into("_library.fake_impl", "library.fake_context"),
    **_into("library", ".autocast_rule", ".custom_op", ".definition", ".library", ".schema_inference"),
    **_into("masked._ops", "masked.normalizations", "masked.reductions"),
    **_into("nn.attention", ".implementations"),
    **_into("nn.attention.flex_attention", "nn.attention.block_mask", "nn.attention.mods"),
    **_into("nn.functional", *(f"nn._functional.{name}" for name in (
        "activation", "attention_masks", "batch_norm", "columns", "dropout", "embedding", "grids", "layers",
        "linear_cross_entropy", "losses", "margin_losses", "multi_head_attention", "pooling", "upsampling"))),
    **_into("nn.modules.activation", "nn.modules.multihead_attention"),
    **_into("nn.modules.container", "nn.modules.parameter_container"),
    **_into("nn.modules.conv", "nn.modules.lazy_conv"),
    **_into("nn.modules.loss", "nn.modules.loss_base", "nn.modules.margin_loss"),
    **_into("nn.modules.module", "nn.modules.hooks", "nn.modules.state"),
    **_into("nn.modules.pooling", "nn.modules.adaptive_pooling"),
    **_into("nn.modules.rnn", "nn.modules.rnn_cell"),
    **_into("nn.modules.transformer", "nn.modules.transformer_layers"),
    **_into("nn.parameter", "nn.uninitialized"),
    **_into("nn.utils.parametrizations", "nn.utils.orthogonal"),
    **_into("nn.utils.parametrize", "nn.utils.parametrization_list"),
    **_into("optim", ".adafactor", ".muon"),
    **_into("optim.optimizer", "optim.step_range"),
    **_into("profiler.profiler", "profiler.session.handlers", "profiler.session.schedule"),
    **_into("random", "ops.random.generator"),
    **_into("serialization", ".config", ".container_source", ".loading", ".locations", ".pickle_modules",
            ".safe_globals", ".saving", ".skipping", ".surroundings"),
    **_into("sparse", ".strided_gradcheck"),
    **_into("storage", "api.typed_storage"),
    **_into("utils._pytree", "utils._pytree_keys", "utils._pytree_kinds", "utils._pytree_registry", "utils._treespec",
            "utils._treespec_text"),
    **_into("utils.benchmark.utils.common", "utils.benchmark.measurement", "utils.benchmark.units"),
    **_into("utils.benchmark.utils.compare", "utils.benchmark.compare"),
    **_into("utils.benchmark.utils.timer", "utils.benchmark.timer"),
    **_into("utils.checkpoint", ".call", ".debug", ".devices", ".reentrant", ".region", ".selective"),
    **_into("utils.data.datapipes.iter.combining", "utils.data.datapipes.iter.routing"),
    **_into("utils.hooks", "autograd.hooks"),
}
# Single members that stand apart from the others of their module; no place is torch itself.
APART = {
    ("api.pickling", "_rebuild_from_type_v2"): "_tensor",
    ("autograd.anomaly", "is_anomaly_check_nan_enabled"): "",
    ("autograd.anomaly", "is_anomaly_enabled"): "",
    ("autograd.anomaly", "set_anomaly_enabled"): "",
    ("compiler.compile", "compile"): "",
    ("control_flow", "cond"): "",
    ("core.device", "_get_layout"): "serialization",
    ("core.errors", "_LinAlgError"): "_C",
    ("core.mode_stack", "DisableTorchFunction"): "_C",
    ("core.mode_stack", "DisableTorchFunctionSubclass"): "_C",
    ("core.mode_stack", "enable_reentrant_dispatch"): "overrides",
    ("core.printing", "set_printoptions"): "_tensor_str",
    ("dispatch.packet", "_VariableFunctionsClass"): "_C",
    ("distributed", "GradBucket"): "_C._distributed_c10d",
    **{("distributed.fsdp.api", name): "distributed.fsdp" for name in (
        "CPUOffloadPolicy", "MixedPrecisionPolicy", "OffloadPolicy")},
    ("futures", "Future"): "jit",
    **{("jit.translate", name): f"jit.{place}" for name, place in {
        "freeze": "_freeze", "load": "_serialization", "optimize_for_inference": "_freeze", "save": "_serialization",
        "script": "_script", "trace": "_trace", "trace_module": "_trace"}.items()},
    ("jit.modules", "ScriptModule"): "jit._script",
    ("jit.modules", "RecursiveScriptModule"): "jit._script",
    ("nn.parameter", "_rebuild_parameter"): "_utils",
    ("nn.parameter", "_rebuild_parameter_with_state"): "_utils",
    ("opdef.tags", "Tag"): "",
    ("ops.python.storage", "UntypedStorage"): "storage",
    ("ops.random.generator", "Generator"): "_C",
    ("serialization.by_value", "_load_from_bytes"): "storage",
    ("utils.data.datapipes.datapipe", "functional_datapipe"): "utils.data.datapipes._decorator",
}
PLACES = frozenset((*MOVED.values(), *APART.values())) - {""}


def shown_package() -> str:
    """What our package is called: torch, once it has taken that name."""
    return sys.modules[PACKAGE].__name__


def place_of(path: str, name: str) -> str | None:
    """Where torch has a member of a module of ours, if that is another module."""
    apart = APART.get((path, name.partition(".")[0]))
    return MOVED.get(path) if apart is None else apart


@cache
def torch_module(module: str, name: str) -> str | None:
    """torch's module of a member of ours, which may say torch's name already; None of what is somebody else's."""
    if not is_torch_module(module):
        return None
    path = module.partition(".")[2]
    place = place_of(path, name)
    if place is None:
        place = "" if _is_at_the_top(path, name) else path
    return f"torch.{place}" if place else "torch"


def _is_at_the_top(path: str, name: str) -> bool:
    """Whether a member of a room that torch does not have is shown as torch's own, such as torch.float32."""
    return path.split(".")[0] in ("api", "core", "ops") and hasattr(importlib.import_module(PACKAGE), name)


@cache
def moved_to(place: str) -> tuple[str, ...]:
    """Our modules that hold members of a module of torch's which has another name."""
    moved = [path for path, there in MOVED.items() if there == place]
    apart = [path for (path, _), there in APART.items() if there == place]
    return tuple(dict.fromkeys(moved + apart))


def find_moved(place: str, name: str):
    """The member of ours that torch has at a place where we have no such member; None if there is none."""
    for path in moved_to(place):
        module = importlib.import_module(f"{PACKAGE}.{path}")
        if name in vars(module) and place_of(path, name) == place:
            return vars(module)[name]
    return None


def find(module: str, name: str):
    """The member of ours that a file calls by torch's name."""
    place = module.partition(".")[2]
    first, *rest = name.split(".")
    try:
        member = getattr(importlib.import_module(f"{PACKAGE}.{place}" if place else PACKAGE), first)
    except (ModuleNotFoundError, AttributeError):
        member = find_moved(place, first)
    try:
        for part in rest:
            member = getattr(member, part)
    except AttributeError:
        member = None
    if member is None:
        raise AttributeError(f"Can't get attribute '{name}' on '{module}': it is not in mindtorch_v2 yet")
    return member


def is_torch_module(module: str) -> bool:
    """Whether a file means torch, or us, by the name of a module."""
    return module.partition(".")[0] in ("torch", PACKAGE)
