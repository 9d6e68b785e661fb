"""What rooms below the ops need of them, in one list; api/install.py fills it. Operator signs have theirs beside it."""

from __future__ import annotations


class Work:
    """Each is a callable, but for ``cast_op``, an op, and ``as_strided_node``, the derivative of a view by geometry."""

    # autograd/: what the engine itself does with gradients
    add = add_ = sum_to = detach = clone = clone_for = cast = ones_like = zeros_like = zeros = empty = None
    as_strided = copy_ = zero_ = new_empty_strided = stack = view_as = as_strided_node = conj = kept = None
    empty_strided = expand = gather = mul = new_zeros = reshape = squeeze = unsqueeze = None  # and with tangents
    call = None  # run an op on bound arguments
    vmap = apply_to_members = None  # func/vmap.py; how a Function is called inside of it
    # dispatch/: operands are cast by an op; __torch_dispatch__ is given torch.ops.aten.add.Tensor; torch.add by name
    cast_op = overload_of = packet_of = None
    # autograd/: gradients that are not plain memory, added and taken over
    add_kinds = accumulate_kind = None
    # ops/create: tensors of sparse layouts
    empty_of_layout = None
    # ops/python: an array beside == becomes a tensor; memory of other libraries
    equal_to_array = from_dlpack = None
    constructors = None  # core/default_device: the functions that make tensors out of no tensor
    # ops/: torch.ops.<namespace>
    namespace_of = load_library = None
