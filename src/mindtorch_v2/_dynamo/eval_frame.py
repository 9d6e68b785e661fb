"""torch._dynamo.eval_frame: the class of compiled modules, of which there are none."""

from __future__ import annotations

from ..nn.modules.module import Module


class OptimizedModule(Module):
    """For isinstance(): torch.compile() here returns the module itself, which is not one of these."""

    def __init__(self, *args, **kwargs) -> None:
        raise RuntimeError("mindtorch_v2 compiles nothing: torch.compile(module) returns the module itself")


def is_dynamo_supported() -> bool:
    """False: nothing is compiled."""
    return False


def innermost_fn(fn, unaltered_fn_attr: str = "_torchdynamo_orig_callable"):
    """The function that was given to the compiler."""
    return fn
