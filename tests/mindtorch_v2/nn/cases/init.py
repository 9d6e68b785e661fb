"""torch.nn.init: the same numbers for the same seed."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

E23 = "t = torch.empty(2, 3)\n"
CASES = {
    "uniform_": E23 + "out = [nn.init.uniform_(t), nn.init.uniform_(t, -2.0, 5.0) is t]",
    "normal_": E23 + "out = nn.init.normal_(t, 1.0, 0.5)",
    "normal_ big": "nn.init.normal_(torch.empty(5, 7))",
    "trunc_normal_": "nn.init.trunc_normal_(torch.empty(5, 7))",
    "trunc_normal_ narrow": "nn.init.trunc_normal_(torch.empty(5, 7), 1.0, 0.5, 0.9, 1.2)",
    "trunc_normal_ far": "nn.init.trunc_normal_(torch.empty(2, 2), 9.0, 0.5, -1.0, 1.0)",
    "constant_ ones_ zeros_": E23 + "out = [nn.init.constant_(t, 0.3).clone(), nn.init.ones_(t).clone(), nn.init.zeros_(t)]",
    "eye_": E23 + "out = nn.init.eye_(t)",
    "eye_ dims": "nn.init.eye_(torch.empty(2))",
    "dirac_": "nn.init.dirac_(torch.empty(3, 2, 3))",
    "dirac_ groups": "nn.init.dirac_(torch.empty(4, 2, 3, 3), groups=2)",
    "dirac_ dims": "nn.init.dirac_(torch.empty(2, 2))",
    "dirac_ wrong groups": "nn.init.dirac_(torch.empty(3, 2, 3), groups=2)",
    "xavier_uniform_": E23 + "out = nn.init.xavier_uniform_(t, gain=2.0)",
    "xavier_normal_": E23 + "out = nn.init.xavier_normal_(t)",
    "kaiming_uniform_": E23 + "out = nn.init.kaiming_uniform_(t)",
    "kaiming_uniform_ fan_out": E23 + "out = nn.init.kaiming_uniform_(t, a=0.5, mode='fan_out', nonlinearity='relu')",
    "kaiming_normal_": "nn.init.kaiming_normal_(torch.empty(4, 3, 2, 2), mode='FAN_OUT', nonlinearity='relu')",
    "kaiming wrong mode": E23 + "nn.init.kaiming_uniform_(t, mode='fan')",
    "kaiming wrong nonlinearity": E23 + "nn.init.kaiming_uniform_(t, nonlinearity='zebra')",
    "kaiming zero": "nn.init.kaiming_normal_(torch.empty(0, 3))",
    "fan one dim": "nn.init.kaiming_uniform_(torch.empty(3))",
    "xavier one dim": "nn.init.xavier_uniform_(torch.empty(3))",
    "orthogonal_ one dim": "nn.init.orthogonal_(torch.empty(3))",
    "sparse_": "nn.init.sparse_(torch.empty(5, 3), 0.4, 0.1)",
    "sparse_ dims": "nn.init.sparse_(torch.empty(3), 0.1)",
    "calculate_gain": "[nn.init.calculate_gain(n) for n in ('linear', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d', 'sigmoid', 'tanh', 'relu', 'leaky_relu', 'selu')]",
    "calculate_gain param": "[nn.init.calculate_gain('leaky_relu', 0.2), nn.init.calculate_gain('leaky_relu', 2)]",
    "calculate_gain bool": "nn.init.calculate_gain('leaky_relu', True)",
    "calculate_gain unknown": "nn.init.calculate_gain('zebra')",
    "old name": E23 + "out = nn.init.constant(t, 1.0)",
    "old normal": E23 + "out = nn.init.kaiming_normal(t)",
    "on a parameter": "p = nn.Parameter(torch.empty(2, 3)); nn.init.xavier_normal_(p)\nout = [p, p.grad_fn]",
    "generator": "g = torch.Generator(); g.manual_seed(7)\nout = [nn.init.uniform_(torch.empty(3), generator=g), nn.init.kaiming_uniform_(torch.empty(2, 2), generator=g)]",
    "double": "nn.init.kaiming_uniform_(torch.empty(2, 3, dtype=torch.float64))",
    "network": "m = nn.Sequential(nn.Linear(3, 4), nn.Embedding(3, 2), nn.LayerNorm(3), nn.PReLU(), nn.Linear(2, 2, bias=False))\nout = list(m.parameters())",
}
