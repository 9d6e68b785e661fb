"""Whatever the number of threads, a kernel gives the same bits; and the pieces that it is cut into cover all of it."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.devices.cpu import pool

F = torch.nn.functional


def draw(*shape):
    return torch.randn(*shape, requires_grad=True)


def places(high, *shape):
    return torch.randint(0, high, shape)


def last(x):
    return x.contiguous(memory_format=torch.channels_last)


# What is computed from inputs that are drawn anew; gradients of those that want them are compared too.
KERNELS = {
    "mm": lambda: (torch.mm, draw(300, 200), draw(200, 150)),
    "bmm": lambda: (torch.bmm, draw(40, 30, 50), draw(40, 50, 20)),
    "linear": lambda: (F.linear, draw(64, 300), draw(128, 300), draw(128)),
    "conv2d": lambda: (lambda x, w: F.conv2d(x, w, padding=1), draw(5, 16, 30, 30), draw(24, 16, 3, 3)),
    "strided conv2d": lambda: (lambda x, w: F.conv2d(x, w, stride=2, padding=3), draw(3, 3, 64, 64), draw(32, 3, 7, 7)),
    "conv2d of one image": lambda: (F.conv2d, draw(1, 16, 80, 80), draw(24, 16, 3, 3)),
    "conv2d of small images": lambda: (lambda x, w: F.conv2d(x, w, padding=1), draw(16, 64, 7, 7), draw(128, 64, 3, 3)),
    "depthwise conv2d": lambda: (lambda x, w: F.conv2d(x, w, groups=16), draw(4, 16, 40, 40), draw(16, 1, 3, 3)),
    "conv1d": lambda: (F.conv1d, draw(6, 20, 400), draw(30, 20, 5)),
    "conv3d": lambda: (F.conv3d, draw(2, 8, 10, 12, 12), draw(16, 8, 3, 3, 3)),
    "conv_transpose2d": lambda: (lambda x, w: F.conv_transpose2d(x, w, stride=2), draw(4, 32, 20, 20),
                                 draw(32, 16, 4, 4)),
    "conv2d, channels last": lambda: (lambda x, w: F.conv2d(last(x), w, stride=2, padding=1), draw(5, 32, 30, 30),
                                      draw(40, 32, 3, 3)),
    "depthwise conv2d, channels last": lambda: (lambda x, w: F.conv2d(last(x), w, groups=80), draw(4, 80, 40, 40),
                                                draw(80, 1, 3, 3)),
    "pooling, channels last": lambda: (lambda x: F.max_pool2d(last(x), 3, 2) + F.avg_pool2d(last(x), 3, 2),
                                       draw(4, 40, 41, 41)),
    "linear of a few rows": lambda: (F.linear, draw(5, 300), draw(1000, 300)),
    "inverses": lambda: (torch.linalg.inv, draw(3000, 6, 6)),
    "reflection pad": lambda: (lambda x: F.pad(x, (2, 1, 3, 0), mode="reflect"), draw(4, 30, 40, 40)),
    "grid_sample": lambda: (lambda x, g: F.grid_sample(x, g, align_corners=False), draw(3, 9, 30, 30),
                            draw(3, 40, 40, 2)),
    "attention": lambda: (lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True), draw(2, 4, 150, 32),
                          draw(2, 4, 150, 32)),
    "softmax": lambda: (lambda x: x.softmax(1), draw(300, 400)),
    "log_softmax, dim 0": lambda: (lambda x: x.log_softmax(0), draw(300, 400)),
    "layer norm": lambda: (lambda x, w, b: F.layer_norm(x, (500,), w, b), draw(300, 500), draw(500), draw(500)),
    "rms norm": lambda: (lambda x, w: F.rms_norm(x, (500,), w), draw(300, 500), draw(500)),
    "batch norm": lambda: (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), draw(8, 30, 20, 20), draw(30),
                           draw(30)),
    "batch norm of rows": lambda: (lambda x, w: F.batch_norm(x, None, None, w, None, True), draw(400, 100), draw(100)),
    "group norm": lambda: (lambda x, w, b: F.group_norm(x, 6, w, b), draw(8, 30, 20, 20), draw(30), draw(30)),
    "group norm, channels last": lambda: (lambda x, w: F.group_norm(last(x), 6, w), draw(8, 30, 20, 20), draw(30)),
    "mse": lambda: (F.mse_loss, draw(300, 300), draw(300, 300)),
    "cross-entropy": lambda: (F.cross_entropy, draw(500, 200), places(200, 500)),
    "embedding": lambda: (lambda i, w: F.embedding(i, w), places(300, 50, 30), draw(300, 100)),
    "embedding bags": lambda: (lambda i, w: F.embedding_bag(i, w, mode="sum"), places(300, 200, 30), draw(300, 100)),
    "gather": lambda: (lambda x, i: x.gather(1, i), draw(300, 200), places(200, 300, 150)),
    "boolean mask": lambda: (lambda x: x[x > 0], draw(300, 200)),
    "cat": lambda: (lambda x, y: torch.cat([x, y], 1), draw(300, 200), draw(300, 100)),
    "max_pool2d": lambda: (lambda x: F.max_pool2d(x, 3, 2, 1), draw(6, 10, 50, 50)),
    "avg_pool2d": lambda: (lambda x: F.avg_pool2d(x, 3, 2, 1), draw(6, 10, 50, 50)),
    "adaptive_avg_pool2d": lambda: (lambda x: F.adaptive_avg_pool2d(x, 3), draw(6, 10, 50, 50)),
    "interpolate": lambda: (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), draw(4, 6, 40, 40)),
    "sum of int64": lambda: (torch.sum, places(1000, 300_000)),
    "lstm": lambda: (lambda x: seeded(torch.nn.LSTM, 64, 64)(x)[0], draw(20, 16, 64)),
}


def seeded(module, *sizes):
    torch.manual_seed(1)
    return module(*sizes)


def bits(make, threads: int) -> list[bytes]:
    """The result and all gradients, computed by so many threads."""
    pool.set_threads(threads)
    torch.manual_seed(0)
    function, *inputs = make()
    result = function(*inputs)
    if result.requires_grad:
        result.backward(torch.linspace(-1, 1, result.numel()).reshape(result.shape))
    gradients = [x.grad for x in inputs if x.grad is not None]
    return [tensor.detach().numpy().tobytes() for tensor in (result, *gradients)]


@pytest.fixture(autouse=True)
def number_as_before():
    before = pool.get_threads()
    yield
    pool.set_threads(before)


@pytest.mark.parametrize("name", KERNELS)
def test_bits_are_those_of_one_thread(name):
    assert bits(KERNELS[name], 3) == bits(KERNELS[name], 1)


@pytest.mark.parametrize("shape", [(0,), (5,), (40_000,), (3, 20_001), (7, 9, 1000)])
def test_places_of_what_is_true(shape):
    pool.set_threads(3)
    mask = np.random.default_rng(0).random(shape) < 0.3
    np.testing.assert_array_equal(torch.from_numpy(mask).nonzero().numpy(), np.argwhere(mask))
