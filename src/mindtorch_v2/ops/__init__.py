"""One op = one class; files by subject."""

from . import (
    activation, activation_backward, activation_gates, arithmetic, attention, batched, bilinear, callers, clamp,
    compare, complex_view, construct, contract, convert, copy, create, diag, distance, distribution, division,
    dropout, einsum, elementwise, embedding, exchange, extremes, factory, fill, finite, foreach, fused, gather,
    generator, index, index_dim, indexing, inplace_view, interpolate, join, legacy, logic, loss, loss_binary,
    loss_margin, loss_pointwise, masked, matmul, matvec, maximum, names, norm, norm_batch, norms, numeric_callers,
    pad, permute, pickling, power, product, queries, random, ranges, reduce, rounding, samples, scan, shape, slice,
    softmax, sort, split, squeeze, storage, to, trigonometry, truth, unique, variance, view, view_scatter, where,
    xlogy,
)
from .namespace import aten
from .paving import pave

pave()
