"""What modules of functions offer: their names, and how each of them is called."""

from __future__ import annotations

import inspect
import types

ADDRESSES = ("special", "fft", "signal.windows")
# Modules whose public names are compared; what of them is lacking is signed in test_namespaces.py.
SURFACES = """
    accelerator amp amp.autocast_mode amp.grad_scaler autograd autograd.anomaly_mode autograd.forward_ad
    autograd.function autograd.functional autograd.grad_mode autograd.gradcheck autograd.graph autograd.variable
    backends backends.cpu backends.cusparselt backends.kleidiai backends.mha backends.mkl backends.mps
    backends.nnpack backends.openmp compiler cpu cpu.amp cuda.amp cuda.graphs cuda.memory cuda.nvtx cuda.random
    cuda.streams distributed distributed.algorithms.join distributed.device_mesh distributed.fsdp distributed.nn
    distributed.nn.functional distributed.tensor distributed.tensor.placement_types distributions
    distributions.constraint_registry distributions.constraints distributions.distribution distributions.exp_family
    distributions.kl distributions.transforms distributions.utils export export.dynamic_shapes func functional
    futures fx fx.annotate fx.experimental.const_fold fx.graph fx.graph_module fx.immutable_collections fx.interpreter
    fx.node fx.operator_schemas fx.passes.infra.pass_base fx.passes.infra.pass_manager fx.passes.shape_prop
    fx.passes.split_module fx.passes.tools_common fx.passes.utils.matcher_utils fx.proxy fx.subgraph_rewriter
    fx.tensor_type fx.traceback hub jit library linalg masked multiprocessing
    multiprocessing.pool multiprocessing.queue multiprocessing.spawn nested nn.attention nn.attention.bias
    nn.attention.flex_attention nn.grad nn.init nn.parallel nn.parallel.comm nn.parallel.scatter_gather nn.parameter
    nn.utils nn.utils.clip_grad nn.utils.convert_parameters nn.utils.fusion nn.utils.init nn.utils.memory_format
    nn.utils.parametrizations nn.utils.parametrize nn.utils.prune nn.utils.rnn nn.utils.stateless onnx optim
    optim.lr_scheduler optim.optimizer optim.swa_utils overrides quasirandom random return_types serialization
    signal sparse sparse.semi_structured storage testing torch_version types utils utils._pytree
    utils.backend_registration utils.benchmark utils.checkpoint utils.data utils.data.dataloader
    utils.data.datapipes.datapipe utils.data.datapipes.iter utils.data.datapipes.map utils.data.dataset
    utils.data.distributed utils.data.graph utils.data.graph_settings utils.data.sampler utils.deterministic
    utils.dlpack utils.flop_counter utils.hooks utils.model_zoo utils.module_tracker utils.serialization.config
    utils.tensorboard utils.weak version""".split()
COUNTS = (0, 1, 9)  # of arguments that no function takes


# Calls of window functions, whose values, rows and errors are compared.
_WINDOWS = ("bartlett", "blackman", "cosine", "exponential", "gaussian", "general_hamming", "hamming", "hann", "kaiser",
            "nuttall")
_ARGUMENTS = ("5", "6, sym=False", "0", "1", "-1", "4, dtype=torch.float64", "5, dtype=torch.int32",
              "5, layout=torch.sparse_coo", "3, requires_grad=True")
CALLS = [f"{name}({args})" for name in _WINDOWS for args in _ARGUMENTS] + [
    "exponential(5, tau=2.0)", "exponential(5, center=1, sym=False)", "exponential(5, center=1)",
    "exponential(5, tau=0)", "gaussian(5, std=0.5)", "gaussian(5, std=-1)", "kaiser(5, beta=0)", "kaiser(5, beta=-1)",
    "general_cosine(5, a=[0.4, 0.3, 0.2])", "general_cosine(4, a=(0.4, 0.3), sym=False)", "general_cosine(5, a=[])",
    "general_cosine(5, a=0.5)", "general_hamming(5, alpha=0.6)"]


def public_names(module: types.ModuleType) -> list[str]:
    """What a module exports; of one that does not say, what is defined in its package."""
    package = module.__name__.partition(".")[0]
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if not name.startswith("_")
        and not isinstance(value, types.ModuleType) and str(getattr(value, "__module__", "")).startswith(package)]
    return sorted({name for name in names if hasattr(module, name)})


class Nothing:
    """What no function of torch takes."""


def names_of(module: types.ModuleType) -> list[str]:
    """The functions of a module."""
    return sorted(name for name, value in vars(module).items() if not name.startswith("_") and callable(value)
                  and not isinstance(value, type))


def described(function) -> list[str]:
    """A function by its signature, or a compiled one by what it says of arguments that nobody would give."""
    if isinstance(function, types.FunctionType):
        signature = inspect.signature(function)
        plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        return [str(signature.replace(parameters=plain, return_annotation=signature.empty))]
    return [complaint(function, [Nothing()] * count) for count in COUNTS]


def complaint(function, args: list) -> str:
    """The text of the error that arguments end in."""
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "none"


def outcome(torch, call: str) -> dict:
    """What a window function gives and the rows it shows, or the error that it ends in."""
    windows = vars(torch.signal.windows)
    try:
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as prof:
            window = eval(call, {**windows, "torch": torch})
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    rows = [event.name for event in sorted(prof.events(), key=lambda event: event.time_range.start)]
    node = window.grad_fn and window.grad_fn.name()
    return {"values": window.tolist(), "dtype": str(window.dtype), "node": node,
            "rows": [row for row in rows if row != "[memory]"]}
