# cython: annotation_typing=False
"""The three transforms that all others call: complex to complex, real to complex, complex to real.

Rows and layout are those of PyTorch with its vendor's library: the dimensions that are not transformed become one, in
the order in which they lie in memory, and the result is laid out so.
"""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.geometry import contiguous_strides
from ...core.tensor import shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec


def _order(strides, dims) -> list[int]:
    """All dimensions, those that are transformed last; the others as they lie in memory, outermost first.

    As C++'s std::partition does it, which exchanges dimensions from both ends.
    """
    order, low, high = list(range(len(strides))), 0, len(strides)
    while low < high:
        if order[low] not in dims:
            low += 1
            continue
        high -= 1
        if order[high] not in dims:
            order[low], order[high] = order[high], order[low]
    order[:low] = sorted(order[:low], key=lambda dim: -strides[dim])
    order[low:] = dims
    return order


def _by_stride(strides, dims) -> list[int]:
    return sorted(dims, key=lambda dim: -strides[dim])


def _strides(sizes, order) -> tuple[int, ...]:
    """The strides of a result of these sizes whose dimensions lie in an order, the outermost first."""
    in_order = contiguous_strides([sizes[dim] for dim in order])
    strides = [0] * len(sizes)
    for dim, stride in zip(order, in_order):
        strides[dim] = stride
    return tuple(strides)


def _execute(kernel, out, self, sizes, dims, *options):
    """Run a kernel on self with its dimensions in order, and give the result its shape."""
    order = _order(strides_of(self), dims)
    batched = aten.permute(self, order)
    signal = [shape_of(self)[dim] for dim in dims]
    batched = aten.reshape(batched, (-1, *signal))
    aten.resize_(out, (shape_of(batched)[0], *[sizes[dim] for dim in dims]), memory_format=contiguous_format)
    kernel(out, batched, *options)
    return aten.as_strided_(out, sizes, _strides(sizes, order), 0)


def _only(is_supported: bool, kind: str, self) -> None:
    if not is_supported:
        raise RuntimeError(f"Only supports {kind} dtypes, but found: {self.dtype.short}")


def _complex_to_complex(self, dim, normalization, forward):
    if not dim:
        return aten.clone(self)
    sizes = shape_of(self)
    out = aten.empty(sizes, dtype=self.dtype)
    return _execute(run.fft_c2c, out, self, sizes, _by_stride(strides_of(self), dim), normalization, forward)


def _real_to_complex(self, dim, normalization, onesided):
    sizes = _halved(shape_of(self), dim[-1]) if onesided else shape_of(self)
    out = aten.empty(sizes, dtype=self.dtype.to_complex())
    dims = [*_by_stride(strides_of(self), dim[:-1]), dim[-1]]
    return _execute(run.fft_r2c, out, self, sizes, dims, normalization, onesided)


def _complex_to_real(self, dim, normalization, last_dim_size):
    """The first dimensions are transformed as complex numbers, as NumPy does: what comes in need not be symmetric."""
    if len(dim) > 1:
        self = _complex_to_complex(self, dim[:-1], normalization, False)
    sizes = _resized(shape_of(self), dim[-1], last_dim_size)
    out = aten.empty(sizes, dtype=self.dtype.to_real())
    return _execute(run.fft_c2r, out, self, sizes, dim[-1:], normalization)


def _resized(shape, dim: int, size: int) -> tuple[int, ...]:
    return (*shape[:dim], size, *shape[dim + 1:])


def _halved(shape, dim: int) -> tuple[int, ...]:
    return _resized(shape, dim, shape[dim] // 2 + 1)


class FftC2C(Op):
    """The transform of complex numbers, or its inverse."""

    schema = "_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"
    node = "FftC2CBackward0"
    conjugate = False

    def meta(self, dim, normalization, forward, *_):
        _only(self.dtype.is_complex, "complex", self)
        strides = strides_of(self)
        order = _order(strides, _by_stride(strides, dim))
        return Spec(shape_of(self), self.dtype, _strides(shape_of(self), order))

    body = _complex_to_complex

    def grad_self(grad, dim, normalization, forward):
        return aten._fft_c2c(grad, dim, normalization, not forward)


class FftR2C(Op):
    """The transform of real numbers, whole or the half that says all."""

    schema = "_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"
    node = "FftR2CBackward0"
    conjugate = False

    def meta(self, dim, normalization, onesided, *_):
        _only(self.dtype.is_floating_point, "floating-point", self)
        sizes = _halved(shape_of(self), dim[-1]) if onesided else shape_of(self)
        strides = strides_of(self)
        order = _order(strides, [*_by_stride(strides, dim[:-1]), dim[-1]])
        return Spec(sizes, self.dtype.to_complex(), _strides(sizes, order))

    body = _real_to_complex

    def grad_self(grad, self_shape, dim, normalization, onesided):
        """The half that was left out has no gradient: it is filled with zeros, and transformed back."""
        half, whole = shape_of(grad)[dim[-1]], self_shape[dim[-1]]
        if onesided and half < whole:
            padded = aten.new_zeros(grad, _resized(shape_of(grad), dim[-1], whole))
            aten.copy_(aten.slice(padded, dim[-1], 0, half), grad)
            grad = padded
        return aten.real(aten._fft_c2c(grad, dim, normalization, False))


class FftC2R(Op):
    """The inverse transform to real numbers, of the half that says all."""

    schema = "_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"
    node = "FftC2RBackward0"
    conjugate = False

    def meta(self, dim, normalization, last_dim_size, *_):
        _only(self.dtype.is_complex, "complex", self)
        shape, strides = shape_of(self), strides_of(self)
        if len(dim) > 1:
            strides = _strides(shape, _order(strides, _by_stride(strides, dim[:-1])))
        sizes = _resized(shape, dim[-1], last_dim_size)
        return Spec(sizes, self.dtype.to_real(), _strides(sizes, _order(strides, dim[-1:])))

    body = _complex_to_real

    def grad_self(grad, dim, normalization):
        """Each number of the half stands for two, but the first and, where their count is even, the last."""
        gradient = aten._fft_r2c(grad, dim, normalization, True)
        doubled = shape_of(grad)[dim[-1]] - shape_of(gradient)[dim[-1]]
        if doubled > 0:
            aten.mul_(aten.narrow(gradient, dim[-1], 1, doubled), 2)
        return gradient


def _copied(result, out):
    return aten.copy_(resize_output(out, shape_of(result)), result)


def _written(spec: Spec, out) -> Spec:
    """What is described, in the type of what it is written into."""
    return Spec(spec.shape, out.dtype)


class FftC2COut(Op):
    """The transform of complex numbers, into a given tensor."""

    schema = "_fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    overlap = "expanded_out shares_inputs"

    def meta(self, *rest):
        return _written(FftC2C.meta(self, *rest), rest[-1])

    def body(self, dim, normalization, forward, out):
        return _copied(_complex_to_complex(self, dim, normalization, forward), out)


class FftR2COut(Op):
    """The transform of real numbers, into a given tensor."""

    schema = "_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)"
    below = "the caller has the derivative"
    overlap = "expanded_out shares_inputs"

    def meta(self, *rest):
        return _written(FftR2C.meta(self, *rest), rest[-1])

    def body(self, dim, normalization, onesided, out):
        if onesided:
            return _copied(_real_to_complex(self, dim, normalization, True), out)
        half = _real_to_complex(self, dim, normalization, True)
        resize_output(out, shape_of(self))
        aten.copy_(aten.slice(out, dim[-1], 0, shape_of(half)[dim[-1]]), half)
        run.fft_mirror(out, tuple(dim))
        return out


class FftC2ROut(Op):
    """The inverse transform to real numbers, into a given tensor."""

    schema = ("_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, Tensor(a!) out) -> "
              "Tensor(a!)")
    below = "torch follows no gradient through it"
    overlap = "expanded_out shares_inputs"

    def meta(self, *rest):
        return _written(FftC2R.meta(self, *rest), rest[-1])

    def body(self, dim, normalization, last_dim_size, out):
        return _copied(_complex_to_real(self, dim, normalization, last_dim_size), out)
