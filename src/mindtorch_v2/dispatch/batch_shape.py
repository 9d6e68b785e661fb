"""Views and other ops that name the whole shape of a member, under vmap."""

from __future__ import annotations

from ..core.fields import set_array, set_history
from ..core.geometry import existing_dim, infer_size
from ..core.tensor import Tensor, ndim_of, numel_of, offset_of, shape_of, strides_of
from . import dispatcher
from .aten import aten
from .batch_call import Call, padded, unwrap
from .batch_loop import check_written, loop
from .batched import Batched, member_array


def viewed(call: Call):
    """``view``: the same elements in another shape."""
    x, size = call.args
    size = infer_size(size, numel_of(x))
    return call.run([call.front(x), (call.size, *size)])


def expanded(call: Call):
    """``expand``: dimensions of one element become larger."""
    x, size, *rest = call.args
    value = padded(call.front(x), len(size))
    return call.run([value, (call.size, *size), *rest])


def repeated(call: Call):
    """``repeat``: dimensions, old and new, once for each time."""
    x, repeats = call.args
    return call.run([padded(call.front(x), len(repeats)), (1, *repeats)])


def permuted(call: Call):
    """``permute``: dimensions in another order."""
    x, dims = call.args
    rank = ndim_of(x)
    call.op.form["meta"](*call.args) if call.op.form.get("meta") else None
    if len(dims) != rank:
        raise RuntimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the length of "
                           f"the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = "
                           f"{len(dims)}")
    return call.run([call.front(x), (0, *[existing_dim(dim, rank) + 1 for dim in dims])])


def transposed(call: Call):
    """``t``: at most two dimensions, swapped."""
    x = call.args[0]
    if call.op.form.get("meta"):
        call.op.form["meta"](x)
    value = call.front(x)
    return call.members(aten.transpose(value, 1, 2) if ndim_of(x) == 2 else aten.alias(value))


def squeezed(call: Call):
    """``squeeze``: without dimensions of one element."""
    x = call.args[0]
    ones = tuple([i + 1 for i, n in enumerate(shape_of(x)) if n == 1])
    return call.members(aten.squeeze(call.front(x), ones))


def strided(call: Call):
    """``as_strided``: any geometry in the memory of each member; members lie as far apart as they do."""
    x, size, strides, *rest = call.args
    value, dim = unwrap(x, call.level)
    if len(size) != len(strides):
        raise RuntimeError("Tensor.as_strided(size, stride, ...): size and stride must have the same length! Got size "
                           f"{list(size)} and stride {list(strides)}")
    check_reach(x, size, strides, rest[0] if rest else None)
    return call.run([value, (call.size, *size), (value.stride(dim), *strides), *rest])


def check_reach(x: Tensor, size: tuple, strides: tuple, offset: int | None) -> None:
    """Refuse to show memory that is not the member's own."""
    first = offset_of(x)
    last = first + reach(shape_of(x), strides_of(x))
    offset = first if offset is None else offset
    end = offset + reach(size, strides)
    if numel_of(x) and 0 not in size and (offset < first or end > last):
        raise RuntimeError(f"result = tensor.as_strided({list(size)}, {list(strides)}, {offset}) can access memory "
                           f"outside of `tensor`. `result` can access some memory in range [{offset}, {end}], but "
                           f"`tensor` can only access some memory in range [{first}, {last}]. This is not supported "
                           "inside of vmap, please try to rewrite the `as_strided` call as a sequence of PyTorch view "
                           "operations")


def reach(size: tuple, strides: tuple) -> int:
    """How many elements there are from the first of a geometry to its last."""
    return 1 + sum([(n - 1) * step for n, step in zip(size, strides)])


def new_strided(call: Call):
    """``new_empty_strided``: members of a given geometry, one behind the other."""
    x, size, strides, *rest = call.args
    room = reach(size, strides) if 0 not in size else 0
    return call.run([call.front(x), (call.size, *size), (room, *strides), *rest])


def laid_out(call: Call):
    """What takes a memory format: one of four or five dimensions is that of each member, whose examples are one row."""
    memory_format = call.args[call.op.index["memory_format"]]
    if memory_format is None or not memory_format.name.startswith("channels_last"):
        return call.run(call.mapped(call.front))
    if call.op.name == "clone":
        raise RuntimeError("NYI: Tensor.clone(memory_format) inside vmap is only supported with memory_format "
                           "torch.preserve_format or torch.contiguous_format (got "
                           f"{'ChannelsLast' if memory_format.name == 'channels_last' else 'ChannelsLast3d'})")
    call.op.form["meta"](*call.args) if call.op.form.get("meta") else None
    value = call.front(call.args[0])
    shape = shape_of(value)
    if len(shape) < 3:
        return loop(call)
    rows = aten.reshape(value, (shape[0] * shape[1], *shape[2:]))
    result = dispatcher.call(call.op, (rows, *call.args[1:]))
    return call.members(aten.reshape(result, shape))


# Ops that show their tensor itself in another way: the view that they make of it.
IN_PLACE_VIEWS = {"unsqueeze_": "unsqueeze", "squeeze_": "squeeze", "transpose_": "transpose", "t_": "t",
                  "as_strided_": "as_strided"}


def shown_anew(call: Call):
    """``unsqueeze_`` and the like: the tensor becomes a view of itself."""
    tensor = call.args[0]
    check_written(call, call.op.name)
    view = dispatcher.call(of_name(IN_PLACE_VIEWS[call.op.name], call.op.overload), call.args)
    kind: Batched = view._mt_kind
    tensor._mt_kind = kind
    set_array(tensor, member_array(kind.value._mt_array, kind.dim))
    return tensor


def detached(call: Call):
    """``detach_``: neither the member nor the whole leads back any more."""
    tensor = call.args[0]
    value, dim = unwrap(tensor, call.level)
    tensor._mt_kind = Batched(aten.detach(value), dim, call.level)
    set_history(tensor, None, 0, False)
    return tensor


def of_name(name: str, overload: str):
    """The overload of an op that views what another shows in place."""
    inner = getattr(aten, name)
    overloads = {op.overload: op for op in inner.ops}
    return overloads.get(overload) or overloads.get("int") or inner.only_new


def filled(call: Call):
    """``fill.Tensor``: one number for each member."""
    x, value, *rest = call.args
    call.op.form["meta"](*call.args) if call.op.form.get("meta") else None
    if call.op.mutates < 0:
        return call.members(aten.copy(call.full(x), of_rank(call, value, ndim_of(x))))
    check_written(call, "inplace arithmetic")
    aten.copy_(call.front(x), of_rank(call, value, ndim_of(x)))
    return x


def of_rank(call: Call, tensor: Tensor, rank: int) -> Tensor:
    """A whole whose members have so many dimensions at least; what is the same for all, as it is."""
    value = call.front(tensor)
    return padded(value, rank) if call.is_batched(tensor) else value


RULES = {
    "view.": viewed, "_unsafe_view": viewed, "view_copy.": viewed,
    "expand": expanded, "expand_copy": expanded, "repeat": repeated,
    "permute": permuted, "permute_copy": permuted, "t": transposed, "t_copy": transposed,
    "squeeze.": squeezed, "squeeze_copy.": squeezed,
    "as_strided": strided, "as_strided_copy": strided, "_reshape_alias": strided, "_reshape_alias_copy": strided,
    "new_empty_strided": new_strided,
    **{name: laid_out for name in ("clone", "_to_copy", "empty_like", "zeros_like", "ones_like", "full_like")},
    **{name: shown_anew for name in IN_PLACE_VIEWS},
    "detach_": detached, "_detach_": detached,
    "fill.Tensor": filled, "fill_.Tensor": filled, "copy": filled,
}
