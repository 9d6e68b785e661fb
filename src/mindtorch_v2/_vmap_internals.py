"""torch._vmap_internals: the vmap that autograd itself uses, under its older name."""

from .func.vmap import vmap, vmap_of_autograd


def _vmap(func, in_dims=0, out_dims=0, allow_none_pass_through: bool = False):
    """A function of members as one of batches whose first dimension they are."""
    if in_dims != 0 or out_dims != 0:
        return vmap(func, in_dims, out_dims)
    return vmap_of_autograd(func)
