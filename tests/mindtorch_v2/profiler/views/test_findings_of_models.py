"""Findings about how models are written and evaluated, each in a program with the mistake and in one without."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.views.findings.catalogue import findings

GRAPH, MODE, ATTENTION = "graph in evaluation", "training mode in evaluation", "attention written out"


def kinds(prof) -> set[str]:
    return {finding.kind for finding in findings(prof.digest())} & {GRAPH, MODE, ATTENTION}


@pytest.mark.parametrize(("grad", "mode", "wrong"), [(False, False, set()), (True, False, {GRAPH}),
                                                     (False, True, {MODE}), (True, True, {GRAPH, MODE})])
@pytest.mark.parametrize("layer", [torch.nn.Dropout, lambda: torch.nn.BatchNorm1d(8)], ids=["dropout", "batch norm"])
def test_evaluation_between_steps(layer, grad, mode, wrong):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), layer(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(with_modules=True) as prof:
        for _ in range(2):
            model.train()
            for _ in range(3):
                optimizer.zero_grad()
                model(torch.randn(4, 8)).sum().backward()
                optimizer.step()
            model.train(mode)
            with torch.set_grad_enabled(grad):
                model(torch.randn(4, 8))
    assert kinds(prof) == wrong


@pytest.mark.parametrize(("grad", "wrong"), [(False, set()), (True, {GRAPH})])
def test_inference_alone(grad, wrong):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    with profile(with_modules=True) as prof, torch.set_grad_enabled(grad):
        for _ in range(3):
            model(torch.randn(4, 8))
    assert kinds(prof) == wrong


def test_a_teacher_that_every_step_calls_belongs_to_training():
    teacher = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout())
    model = torch.nn.Linear(8, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(with_modules=True) as prof:
        for _ in range(4):
            with torch.no_grad():
                wanted = teacher(torch.ones(4, 8))
            (model(torch.ones(4, 8)) - wanted).square().sum().backward()
            optimizer.step()
            optimizer.zero_grad()
    assert kinds(prof) == set()


def written_out(q, k, v):
    mask = torch.ones(16, 16, dtype=torch.bool).triu(1)
    return ((q @ k.transpose(-2, -1)) / 4).masked_fill(mask, -1e9).softmax(-1) @ v


def by_heads(q, k, v):
    return torch.nn.MultiheadAttention(16, 2)(q, k, v)[0]


@pytest.mark.parametrize(("attention", "wrong"), [
    (written_out, {ATTENTION}), (torch.nn.functional.scaled_dot_product_attention, set()), (by_heads, set()),
    (lambda q, k, v: (q @ k).softmax(-1).sum() + v.sum(), set())], ids=["written out", "op", "module", "softmax alone"])
def test_attention(attention, wrong):
    tensors = [torch.randn(4, 16, 16, requires_grad=True) for _ in range(3)]
    with profile(with_modules=True) as prof:
        for _ in range(3):
            attention(*tensors).sum().backward()
    assert kinds(prof) == wrong
