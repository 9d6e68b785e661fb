"""What is written for TensorBoard, as its package's messages: one function for each kind."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.compat.proto.types_pb2 import DT_STRING
from tensorboard.plugins.hparams import summary_v2 as hparams_summary
from tensorboard.util import tensor_util

from ...core.tensor import Tensor

_GREATEST, _LEAST, _STEP = 1e20, 1e-12, 1.1  # of the default bins of a histogram
_WHITE = 255
_MOST_COLUMNS = 8  # of images side by side


def make_np(x: Any) -> np.ndarray:
    """Numbers, a list of them, an array or a tensor as an array."""
    if isinstance(x, Tensor):
        return x.detach().float().numpy() if "bfloat16" in str(x.dtype) else x.detach().numpy()
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if isinstance(x, (list, tuple)):
        return np.array(x)
    raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")


def scalar(name: str, tensor: Any, collections=None, new_style: bool = False,
           double_precision: bool = False) -> Summary:
    """A number."""
    values = make_np(tensor).squeeze()
    if values.ndim != 0:
        raise AssertionError(f"Tensor should contain one element (0 dimensions). Was given size: {values.size} and "
                             f"{values.ndim} dimensions.")
    if new_style:
        return Summary(value=[Summary.Value(tag=name, tensor=tensor_util.make_tensor_proto(float(values)),
                                            metadata=_metadata("scalars"))])
    return Summary(value=[Summary.Value(tag=name, simple_value=float(values))])


def _metadata(plugin: str, content: bytes = b"") -> SummaryMetadata:
    return SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name=plugin, content=content))


def _default_bins() -> np.ndarray:
    count = int(np.ceil(np.log(_GREATEST / _LEAST) / np.log(_STEP)))
    edges = np.cumprod([_LEAST, *[_STEP] * (count - 1)])
    return np.concatenate([-edges[::-1], [0.0], edges])


def histogram(name: str, values: Any, bins: Any = "tensorflow", max_bins: int | None = None) -> Summary:
    """How numbers are distributed."""
    array = make_np(values).astype(np.float64).ravel()
    if array.size == 0:
        raise ValueError("The input has no element.")
    counts, edges = np.histogram(array, bins=_default_bins() if bins == "tensorflow" else bins)
    filled = np.flatnonzero(counts)
    first, last = (filled[0], filled[-1]) if len(filled) else (0, 0)
    shown = counts[first:last + 1]
    if first > 0:
        shown, limits = np.concatenate([[0], shown]), edges[first:last + 2]
    else:
        limits = edges[first + 1:last + 2]
    proto = HistogramProto(min=array.min(), max=array.max(), num=len(array), sum=array.sum(),
                           sum_squares=array.dot(array), bucket_limit=limits.tolist(), bucket=shown.tolist())
    return Summary(value=[Summary.Value(tag=name, histo=proto)])


def _pixels(tensor: Any, dataformats: str) -> np.ndarray:
    """Height, width, channels, as bytes; a batch of images becomes a square of them."""
    array, formats = make_np(tensor), dataformats.upper()
    if array.ndim != len(formats):
        raise AssertionError(f"size of input tensor and input format are different.         tensor shape: "
                             f"{array.shape}, input_format: {formats}")
    if "N" in formats:
        array = _grid(array.transpose([formats.index(axis) for axis in "NHWC"]))
    elif "C" in formats:
        array = array.transpose([formats.index(axis) for axis in "HWC"])
    else:
        array = array.transpose([formats.index(axis) for axis in "HW"])[:, :, None]
    if array.shape[2] == 1:
        array = np.repeat(array, 3, axis=2)
    scale = 1 if array.dtype == np.uint8 else _WHITE
    return (array.astype(np.float32) * scale).clip(0, _WHITE).astype(np.uint8)


def _grid(images: np.ndarray) -> np.ndarray:
    count, height, width, channels = images.shape
    columns = min(count, _MOST_COLUMNS)
    rows = -(-count // columns)
    whole = np.zeros((rows * height, columns * width, channels), images.dtype)
    for number, image_ in enumerate(images):
        top, left = divmod(number, columns)
        whole[top * height:(top + 1) * height, left * width:(left + 1) * width] = image_
    return whole


def image(tag: str, tensor: Any, rescale: float = 1, dataformats: str = "NCHW") -> Summary:
    """A picture, as PNG; needs Pillow."""
    from PIL import Image
    pixels = _pixels(tensor, dataformats)
    height, width, channels = pixels.shape
    picture = Image.fromarray(pixels).resize((int(width * rescale), int(height * rescale)))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return Summary(value=[Summary.Value(tag=tag, image=Summary.Image(
        height=picture.height, width=picture.width, colorspace=channels, encoded_image_string=buffer.getvalue()))])


def text(tag: str, text: str) -> Summary:
    """Words."""
    tensor = TensorProto(dtype=DT_STRING, string_val=[text.encode()],
                         tensor_shape=TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)]))
    return Summary(value=[Summary.Value(tag=f"{tag}/text_summary", metadata=_metadata("text", b""), tensor=tensor)])


def tensor_proto(tag: str, tensor: Tensor) -> Summary:
    """All numbers of a tensor."""
    return Summary(value=[Summary.Value(tag=tag, tensor=tensor_util.make_tensor_proto(make_np(tensor)),
                                        metadata=_metadata("tensor"))])


def hparams(hparam_dict: Mapping[str, Any] | None = None, metric_dict: Mapping[str, float] | None = None,
            hparam_domain_discrete: Mapping[str, list] | None = None) -> tuple[Summary, Summary, Summary]:
    """The settings of a run and what it reached: what they are called, their values, and that the run ended."""
    if not isinstance(hparam_dict, Mapping) or not isinstance(metric_dict, Mapping):
        raise TypeError("parameter: hparam_dict and metric_dict should be dictionaries, nothing logged.")
    domains = hparam_domain_discrete or {}
    values = {key: value.item() if isinstance(value, Tensor) else value if isinstance(value, (bool, int, float, str))
              else json.dumps(value, default=str) for key, value in hparam_dict.items()}
    experiment = hparams_summary.hparams_config_pb(
        hparams=[hparams_summary.HParam(key, hparams_summary.Discrete(domains[key]) if key in domains else None)
                 for key in values],
        metrics=[hparams_summary.Metric(name) for name in metric_dict])
    return experiment, hparams_summary.hparams_pb(values), Summary()
