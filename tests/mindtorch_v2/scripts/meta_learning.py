"""Learning to learn (MAML): gradients through steps of gradient descent, on functions called with other weights."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(5)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
meta = torch.optim.Adam(model.parameters(), lr=1e-2)


def task():
    amplitude, phase = torch.empty(()).uniform_(0.5, 2.0), torch.rand(()) * 3.14
    x = torch.rand(10, 1) * 6 - 3
    return x[:5], amplitude * (x[:5] + phase).sin(), x[5:], amplitude * (x[5:] + phase).sin()


for step in range(10):
    meta.zero_grad()
    total = 0.0
    for _ in range(3):
        x_train, y_train, x_test, y_test = task()
        weights = dict(model.named_parameters())
        for _ in range(2):
            inner = F.mse_loss(functional_call(model, weights, (x_train,)), y_train)
            grads = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
            weights = {name: w - 0.05 * g for (name, w), g in zip(weights.items(), grads)}
        total = total + F.mse_loss(functional_call(model, weights, (x_test,)), y_test)
    total.backward()
    meta.step()
    print(f"loss {total.item():.6f}")
