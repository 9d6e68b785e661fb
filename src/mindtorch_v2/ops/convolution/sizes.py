# cython: annotation_typing=False
"""The sizes of a convolution: what each argument stands for, what comes out, and torch's complaints."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ...core.tensor import ndim_of, numel_of, shape_of
from ...opdef.rules import c_name, tensor_name

_AXES = ("depth", "height", "width")


class Steps(NamedTuple):
    """How a kernel goes over an image, one number for each of its dimensions."""

    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    transposed: bool
    output_padding: tuple[int, ...]
    groups: int

    def for_kernels(self) -> tuple:
        return self.stride, self.padding, self.dilation, self.groups


def _expanded(name: str, given, count: int) -> tuple[int, ...]:
    if len(given) == 1:
        return (given[0],) * count
    if len(given) != count:
        raise RuntimeError(f"expected {name} to be a single integer value or a list of {count} values to match the "
                           f"convolution dimensions, but got {name}={list(given)}")
    return tuple(given)


def steps_of(weight, stride, padding, dilation, transposed, output_padding, groups) -> Steps:
    """The arguments of a convolution, with a number for each dimension of the weight."""
    return _steps(ndim_of(weight) - 2, stride, padding, dilation, transposed, output_padding, groups)


@lru_cache  # a program has few convolutions, and calls them often
def _steps(count: int, stride, padding, dilation, transposed, output_padding, groups) -> Steps:
    if count < 1:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    return Steps(_expanded("stride", stride, count), _expanded("padding", padding, count),
                 _expanded("dilation", dilation, count), transposed,
                 _expanded("output_padding", output_padding, count), groups)


@lru_cache
def output_shape(input_shape, weight_shape, steps: Steps) -> tuple[int, ...]:
    """What comes out; channels that are not there stay so."""
    reach = [d * (k - 1) + 1 for d, k in zip(steps.dilation, weight_shape[2:])]
    spatial = input_shape[2:]
    if steps.transposed:
        sizes = [(n - 1) * s - 2 * p + r + o for n, s, p, r, o in
                 zip(spatial, steps.stride, steps.padding, reach, steps.output_padding)]
        return input_shape[0], weight_shape[1] * steps.groups, *sizes
    sizes = [(n + 2 * p - r) // s + 1 for n, s, p, r in zip(spatial, steps.stride, steps.padding, reach)]
    return input_shape[0], weight_shape[0] if input_shape[1] else 0, *sizes


def check_bias_type(input, bias) -> None:
    """What conv1d, conv2d and conv3d say before anything else."""
    if bias is not None and bias.dtype is not input.dtype:
        raise RuntimeError(f"Input type ({c_name(input.dtype)}) and bias type ({c_name(bias.dtype)}) should be the "
                           "same")


def check_types(input, weight, bias, library: bool) -> None:
    """One type for all; oneDNN and torch's own code say so in different words."""
    for name, t in (("weight", weight), ("bias", bias if library else None)):
        if t is not None and t.dtype is not input.dtype:
            if not library:
                raise RuntimeError(f"expected scalar type {input.dtype.short} but found {t.dtype.short}")
            raise RuntimeError(f"Input type ({_legacy(input)}) and {name} type ({_legacy(t)}) should be the same or "
                               f"input should be a MKLDNN tensor and {name} is a dense tensor")


def _legacy(t) -> str:
    return tensor_name(t.dtype)


def check_shapes(input, weight, bias, steps: Steps, library: bool) -> None:
    """Everything that can be wrong with the arguments, in torch's order."""
    for name, values in (("padding", steps.padding), ("output_padding", steps.output_padding)):
        if min(values) < 0:
            raise RuntimeError(f"negative {name} is not supported")
    for name, values in (("stride", steps.stride), ("dilation", steps.dilation)):
        if min(values) <= 0:
            raise RuntimeError(f"non-positive {name} is not supported" if library or name == "stride" else
                               f"{name} should be greater than zero, but got {list(values)}")
    sizes, kernel, groups = list(shape_of(input)), list(shape_of(weight)), steps.groups
    if len(sizes) != len(kernel):
        raise RuntimeError(f"Expected {len(kernel)}-dimensional input for {len(kernel)}-dimensional weight {kernel}, "
                           f"but got {len(sizes)}-dimensional input of size {sizes} instead")
    if kernel[0] < groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got "
                           f"weight of size {kernel} instead")
    if kernel[0] % groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but "
                           f"got weight of size [{kernel}] instead")
    _check_channels(sizes, kernel, bias, steps)
    if not steps.transposed:
        padded = [n + 2 * p for n, p in zip(sizes[2:], steps.padding)]
        reach = [d * (k - 1) + 1 for d, k in zip(steps.dilation, kernel[2:])]
        if any([have < need for have, need in zip(padded, reach)]):
            raise RuntimeError(f"Calculated padded input size per channel: ({_times(padded)}). Kernel size: "
                               f"({_times(reach)}). Kernel size can't be greater than actual input size")
    if len(kernel) > 5:
        raise RuntimeError("unsupported ConvNd parameters")
    if not numel_of(input) and 0 not in sizes[:2]:
        raise RuntimeError(f"Only zero batch or zero channel inputs are supported, but got input shape: {sizes}")


def _times(sizes) -> str:
    return " x ".join(map(str, sizes))


def _check_channels(sizes, kernel, bias, steps: Steps) -> None:
    given = "Given transposed=1" if steps.transposed else f"Given groups={steps.groups}"
    wanted = kernel[0] if steps.transposed else kernel[1] * steps.groups
    if sizes[1] != wanted:
        raise RuntimeError(f"{given}, weight of size {kernel}, expected input{sizes} to have {wanted} channels, but "
                           f"got {sizes[1]} channels instead")
    given = "Given transposed=1, weight" if steps.transposed else "Given weight"
    outputs = kernel[1] * steps.groups if steps.transposed else kernel[0]
    if bias is not None and shape_of(bias) != (outputs,):
        raise RuntimeError(f"{given} of size {kernel}, expected bias to be 1-dimensional with {outputs} elements, but "
                           f"got bias of size {list(shape_of(bias))} instead")


def check_transposed(input, out_shape, steps: Steps) -> None:
    """What only a transposed convolution can get wrong."""
    axes = _AXES[-max(len(steps.stride), 2):]
    if any([o >= s and o >= d for o, s, d in zip(steps.output_padding, steps.stride, steps.dilation)]):
        said = []
        for name, values, missing in (("output_padding", steps.output_padding, 0), ("stride", steps.stride, 1),
                                      ("dilation", steps.dilation, 1)):
            values = (missing,) * (len(axes) - len(values)) + values
            said += [f"{name}_{axis}: {value}" for axis, value in zip(axes, values)]
        raise RuntimeError("output padding must be smaller than either stride or dilation, but got " + " ".join(said))
    if any([n < 1 for n in out_shape[2:]]):
        raise RuntimeError(f"Given input size per channel: ({_times(shape_of(input)[2:])}). Calculated output size per "
                           f"channel: ({_times(out_shape[2:])}). Output size is too small")
