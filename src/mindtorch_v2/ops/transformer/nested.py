"""Sequences of different lengths without padding in encoder layers: out of padding, through the layers, and back."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import contiguous_format, strided
from ...core.tensor import blank, ndim_of, numel_of, shape_of
from ...core.user_warning import warn_user
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..create.factories import empty
from ..nested.tensors import NestedTensor, is_nested, nested

NO_KERNEL = ("Could not run 'aten::to_padded_tensor' with arguments from the 'CPU' backend. This could be because the "
             "operator doesn't exist for this backend, or was omitted during the selective/custom build process (if "
             "using custom build).")
PROTOTYPE = (
    "The PyTorch API of nested tensors is in prototype stage and will change in the near future. We recommend "
    "specifying layout=torch.jagged when constructing a nested tensor, as this layout receives active development, has "
    "better operator coverage, and works with torch.compile.")


def sizes_of(tensor: NestedTensor):
    """A row of sizes for each tensor."""
    return tensor.sizes


def _rows(tensor: NestedTensor):
    """The elements as rows of the last size, which all tensors share."""
    return aten.reshape(tensor.elements, (-1, ask.tolist(tensor.sizes)[0][-1]))


# ---- from padding and back ------------------------------------------------------------------------------------


def _lengths(t, mask) -> tuple:
    """How many elements of each row of a mask are true, and how many before the first that is not."""
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(f"Expected mask to be of ScalarType Bool, but got {mask.dtype.short} instead.")
    if ndim_of(mask) != 2:
        raise RuntimeError("Padding mask should be 2D")
    if ndim_of(t) != 3:
        raise RuntimeError("Input should be a 3D tensor, N * L * D")
    batch, length, _ = shape_of(t)
    if shape_of(mask) != (batch, length):
        raise RuntimeError("Mask size should match input size")
    end = aten.zeros((batch, 1), dtype=dtypes.bool_, layout=strided)
    leading = aten.argmin(aten.to(aten.cat([mask, end], 1), dtypes.int32), 1)
    counts = aten.select(aten.cumsum(mask, 1), 1, length - 1)
    return counts, aten.to(leading, dtype=counts.dtype, layout=strided)


class NestedTensorFromMaskLeftAligned(Op):
    """Whether every row of a mask is true up to some place and false behind it."""

    schema = "_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool"
    internal = "inside TransformerEncoder"

    def body(t, mask):
        return aten.equal(*_lengths(t, mask))


class NestedTensorFromMask(Op):
    """Sequences without what a mask calls padding: it is true where there is none."""

    schema = "_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor"
    internal = "inside TransformerEncoder"
    below = "makes a nested tensor"

    def body(t, mask, mask_check):
        warn_user(PROTOTYPE)
        counts, leading = _lengths(t, mask)
        if mask_check and not aten.equal(counts, leading):
            raise RuntimeError("Mask must be left-aligned without gaps")
        del leading
        counts = aten.reshape(counts, (shape_of(t)[0], 1))
        widths = aten.full_like(counts, shape_of(t)[2])
        sizes = aten.cat([counts, widths], 1)
        del counts, widths
        return aten._nested_from_padded(t, aten.to(sizes, device=sizes.device, layout=strided), False)


class NestedFromPadded(Op):
    """Tensors of the given sizes, cut out of a padded one; with heads, these come behind positions first."""

    schema = ("_nested_from_padded(Tensor padded, Tensor cpu_nested_shape_example, "
              "bool fuse_transform_0213=False) -> Tensor")
    internal = "inside TransformerEncoder"
    below = "makes a nested tensor"

    def body(padded, cpu_nested_shape_example, fuse_transform_0213):
        sizes = cpu_nested_shape_example
        if fuse_transform_0213:
            batch, heads, length, width = shape_of(padded)
            padded = aten.contiguous(aten.permute(padded, (0, 2, 1, 3)))
            padded = aten.view(padded, (batch, length, heads * width))
        full = shape_of(padded)[1:]
        masks = [_padded(aten.new_full(padded, tuple(ask.tolist(size)), True, dtype=dtypes.bool_), full)
                 for size in aten.unbind(sizes)]
        masks = aten.stack(masks)
        elements = aten.masked_select(padded, masks)
        del masks
        elements = aten.to(elements, device=padded.device, layout=strided)
        return nested(elements, sizes)


def _padded(t, shape: tuple[int, ...], value: float = 0.0):
    """A tensor with more at the ends, up to a shape."""
    ends = [n for have, want in zip(reversed(shape_of(t)), reversed(shape)) for n in (0, want - have)]
    return aten.reshape(aten.constant_pad_nd(t, ends, value), shape)


class ToPaddedTensor(Op):
    """The tensors of a nested one, each filled up to the size of the largest."""

    schema = "to_padded_tensor(Tensor self, float padding, SymInt[]? output_size=None) -> Tensor"
    internal = "a method of nested tensors"

    def body(self, padding, output_size):
        if not is_nested(self):
            raise NotImplementedError(NO_KERNEL)
        if not numel_of(self.elements):
            raise RuntimeError("to_padded_tensor: at least one constituent tensor should have non-zero numel")
        sizes = ask.tolist(self.sizes)
        largest = tuple(map(max, zip(*sizes)))
        counts = [math.prod(size) for size in sizes]
        pieces = iter(aten.split_with_sizes(self.elements, tuple([n for n in counts if n]), 0))
        tensors = [_padded(aten.reshape(next(pieces), size) if count else empty(size, self.dtype), largest, padding)
                   for size, count in zip(map(tuple, sizes), counts)]
        padded = aten.stack(tensors)
        del tensors, pieces
        return padded if output_size is None else _padded(padded, _larger(output_size, shape_of(padded)), padding)

    def grad_self(grad, self):
        return self._mt_kind.of_padded(grad)


def _larger(output_size: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(output_size) != len(shape):
        raise RuntimeError("Length of output_size does not match NestedTensor dims. Broadcasting is not supported.")
    if any([want < have for want, have in zip(output_size, shape)]):
        raise RuntimeError("Value in output_size is less than NestedTensor padded size. Truncation is not supported.")
    return tuple(output_size)


# ---- what encoder layers do with them -------------------------------------------------------------------------


def product(tensor: NestedTensor, weight) -> NestedTensor:
    """Every row by a matrix."""
    return _of_rows(aten.mm(_rows(tensor), weight), tensor)


def linear(tensor: NestedTensor, weight, bias, use_gelu: bool | None = None) -> NestedTensor:
    """Every row by a matrix, a bias, and an activation if there is one."""
    if use_gelu is None:
        return _of_rows(aten.addmm(bias, _rows(tensor), weight), tensor)
    return _of_rows(aten._addmm_activation(bias, _rows(tensor), weight, use_gelu=use_gelu), tensor)


def _of_rows(rows, tensor: NestedTensor) -> NestedTensor:
    """Rows of another width in the lengths of a nested tensor."""
    elements = aten.reshape(rows, (-1,))
    sizes = aten.clone(tensor.sizes)
    aten.fill_(aten.select(sizes, 1, -1), _number(shape_of(rows)[1], dtypes.int64))
    return nested(elements, sizes)


def _number(value: float, dtype):
    """A tensor without dimensions, without a row."""
    number = blank((), dtype)
    run.fill(number, value)
    return number


class NestedAdd(Op):
    """The elements of one nested tensor added to those of another."""

    schema = "_nested_add_(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    event = "aten::add_"
    internal = "add_ of nested tensors"
    below = "writes a nested tensor"

    def body(self, other, alpha):
        if not (aten.equal(self.sizes, other.sizes) and aten.equal(self._mt_kind.strides, other._mt_kind.strides)):
            raise RuntimeError("add_ does not support nested tensors of different sizes")
        count = numel_of(self.elements)
        aten.add_(aten.view(self.elements, (count,)), aten.view(other.elements, (count,)), alpha=alpha)
        return self


class NestedLayerNorm(Op):
    """layer_norm of every row."""

    schema = ("_nested_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps, "
              "bool cudnn_enable=True) -> Tensor")
    event = "aten::layer_norm"
    internal = "layer_norm of nested tensors"
    below = "makes a nested tensor"

    def body(input, normalized_shape, weight, bias, eps, cudnn_enable):
        return aten._nested_native_layer_norm(input, normalized_shape, weight, bias, eps)[0]


class NestedNativeLayerNorm(Op):
    """The same with the statistics it found."""

    schema = ("_nested_native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
              "float eps) -> (Tensor, Tensor, Tensor)")
    event = "aten::native_layer_norm"
    internal = "native_layer_norm of nested tensors"
    below = "makes a nested tensor"

    def body(input, normalized_shape, weight, bias, eps):
        count, width = numel_of(input.elements), normalized_shape[0]
        rows = count // width
        out, mean, rstd = empty((count,), input.dtype), empty((rows,), input.dtype), empty((rows,), input.dtype)
        run.layer_norm(out, mean, rstd, input.elements, weight, bias, rows, width, eps)
        return nested(out, input.sizes), mean, rstd


def layer_norm(tensor: NestedTensor, normalized_shape: tuple[int, ...], weight, bias, eps: float) -> NestedTensor:
    """layer_norm of every row, with torch's rows."""
    return aten._nested_layer_norm(tensor, normalized_shape, weight, bias, eps)


def add_(tensor: NestedTensor, other: NestedTensor) -> NestedTensor:
    """Addition in place, with torch's rows."""
    return aten._nested_add_(tensor, other)


class NestedSoftmaxWithShape(Op):
    """softmax of padded scores over the keys that a nested tensor has, zero elsewhere."""

    schema = "_nested_tensor_softmax_with_shape(Tensor self, Tensor query) -> Tensor"
    internal = "inside TransformerEncoder"
    below = "reads a nested tensor"

    def body(self, query):
        out = aten.empty_like(self, memory_format=contiguous_format)
        for item in range(shape_of(self)[0]):
            length = aten.item(aten.select(aten.select(query.sizes, 0, item), 0, 0))
            scores = _corner(self, item, (0, length), (0, length))
            weights = aten.softmax(scores, ndim_of(scores) - 1)
            aten.copy_(_corner(out, item, (0, length), (0, length)), weights)
            end = shape_of(self)[2]
            for rows, columns in (((0, length), (length, end)), ((length, end), (0, end))):
                aten.fill_(_corner(out, item, rows, columns), _number(0, out.dtype))
        return out


def _corner(scores, item: int, rows: tuple[int, int], columns: tuple[int, int]):
    """Some scores of one sequence, all heads; what is whole is not sliced."""
    view = aten.select(scores, 0, item)
    for dim, (start, end) in ((1, rows), (2, columns)):
        if (start, end) != (0, shape_of(view)[dim]):
            view = aten.slice(view, dim, start, end, 1)
    return view
