"""Where history is made and where not: no_grad, enable_grad, inference mode, anomaly detection."""

from __future__ import annotations

import threading
import warnings

import pytest

import mindtorch_v2 as torch

from . import leaf


def test_no_grad_makes_no_history():
    x = leaf(1.0)
    with torch.no_grad():
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_modes_decorate_functions_and_generators():
    x = leaf(1.0)

    @torch.no_grad()
    def plain():
        return (x * 2).requires_grad

    @torch.no_grad()
    def generator():
        yield (x * 2).requires_grad
        yield torch.is_grad_enabled()

    running = generator()
    assert next(running) is False
    assert torch.is_grad_enabled()
    assert next(running) is False
    assert plain() is False


def test_enable_grad_inside_no_grad():
    x = leaf(1.0)
    with torch.no_grad(), torch.enable_grad():
        assert (x * 2).requires_grad


def test_set_grad_enabled_works_at_once_and_as_a_block():
    x = leaf(1.0)
    torch.set_grad_enabled(False)
    assert not (x * 2).requires_grad
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_grad_mode_belongs_to_the_thread():
    seen = []
    with torch.no_grad():
        t = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        t.start()
        t.join()
    assert seen == [True]


def test_inference_tensors_are_not_written_outside():
    with torch.inference_mode():
        x = torch.ones(2) * 2
        assert x.is_inference()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        x.add_(1)


def test_anomaly_mode_names_the_call_that_made_nan():
    x = leaf(0.0)
    with warnings.catch_warnings(record=True) as told, torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("always")
        y = torch.sqrt(x) * 0
        with pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output."):
            y.sum().backward()
    assert any("torch.sqrt(x)" in str(w.message) for w in told)


def test_what_is_thrown_into_a_decorated_generator_arrives_in_its_mode():
    seen = []

    @torch.no_grad()
    def generator():
        while True:
            try:
                yield "running"
            except KeyError:
                seen.append(torch.is_grad_enabled())

    running = generator()
    next(running)
    assert running.throw(KeyError) == "running" and torch.is_grad_enabled()
    assert seen == [False]


def test_a_decorated_generator_is_closed_in_its_mode():
    seen = []

    @torch.no_grad()
    def generator():
        try:
            yield
        finally:
            seen.append(torch.is_grad_enabled())

    running = generator()
    next(running)
    running.close()
    assert seen == [False] and torch.is_grad_enabled()


def test_a_decorated_generator_hands_on_what_it_raises_and_returns():
    @torch.no_grad()
    def generator(fails):
        yield 1
        if fails:
            raise ValueError("inside")
        return 2

    running = generator(True)
    next(running)
    with pytest.raises(ValueError, match="inside"):
        next(running)
    running = generator(False)
    next(running)
    with pytest.raises(StopIteration) as stopped:
        next(running)
    assert stopped.value.value == 2


def test_decorating_a_class_is_deprecated():
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):
        @torch.no_grad()
        class Plain:
            def __init__(self):
                self.grad = torch.is_grad_enabled()

    assert Plain().grad is False
