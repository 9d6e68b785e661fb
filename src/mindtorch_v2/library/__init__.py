"""torch.library: ops of the user's own, and functions in the place of torch's."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .checks import opcheck
from .custom_op import (
    CustomOpDef,
    custom_op,
    register_autocast,
    register_autograd,
    register_fake,
    register_kernel,
    register_vmap,
    triton_op,
)
from .definition import fallthrough_kernel
from .fake_context import get_ctx
from .library import Library, _scoped_library, define, impl
from .schema_inference import infer_schema

impl_abstract = register_fake  # the older name

__all__ = ["CustomOpDef", "Library", "_scoped_library", "custom_op", "define", "fallthrough_kernel", "get_ctx", "impl",
           "impl_abstract", "infer_schema", "opcheck", "register_autocast", "register_autograd", "register_fake",
           "register_kernel", "register_vmap", "triton_op"]

_answer_for_missing(__name__)
