"""FlopCounterMode: counts, modules and table as PyTorch shows them."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2 import nn
from mindtorch_v2.nn import functional
from mindtorch_v2.utils.flop_counter import FlopCounterMode, register_flop_formula

TABLE = """\
Module                          FLOP    % Total
---------------------------  -------  ---------
Sequential                   70.656K    100.00%
- aten.convolution           27.648K     39.13%
- aten.addmm                  5.120K      7.25%
- aten.mm                    10.240K     14.49%
- aten.convolution_backward  27.648K     39.13%
Sequential.0                 55.296K     78.26%
- aten.convolution           27.648K     39.13%
- aten.convolution_backward  27.648K     39.13%
Sequential.3                 15.360K     21.74%
- aten.addmm                  5.120K      7.25%
- aten.mm                    10.240K     14.49%"""


def counted(call) -> tuple[int, dict[str, int]]:
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops(), {str(op): n for op, n in counter.get_flop_counts().get("Global", {}).items()}


def test_modules_are_counted_there_and_back(capsys):
    model = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 64, 5))
    with FlopCounterMode() as counter:
        model(torch.ones(2, 3, 8, 8)).sum().backward()
    assert counter.get_table() == TABLE and capsys.readouterr().out == TABLE + "\n"
    assert set(counter.get_flop_counts()) == {"Global", "Sequential", "Sequential.0", "Sequential.3"}


def test_products_and_convolutions_have_pytorchs_counts():
    a, b = torch.ones(3, 4, requires_grad=True), torch.ones(4, 5, requires_grad=True)
    batch, other = torch.ones(2, 3, 4), torch.ones(2, 4, 5)
    assert counted(lambda: a @ b) == (120, {"aten.mm": 120})
    assert counted(lambda: (a @ b).sum().backward()) == (360, {"aten.mm": 360})
    assert counted(lambda: torch.addmm(torch.ones(5), a, b)) == (120, {"aten.addmm": 120})
    assert counted(lambda: torch.bmm(batch, other)) == (240, {"aten.bmm": 240})
    assert counted(lambda: torch.baddbmm(torch.ones(2, 3, 5), batch, other)) == (240, {"aten.baddbmm": 240})
    image, kernel = torch.ones(1, 3, 5, 5, requires_grad=True), torch.ones(3, 2, 3, 3, requires_grad=True)
    assert counted(lambda: functional.conv_transpose2d(image, kernel).sum().backward()) == (
        8100, {"aten.convolution": 2700, "aten.convolution_backward": 5400})
    assert counted(lambda: functional.conv1d(torch.ones(1, 4, 9), torch.ones(6, 2, 3), groups=2, stride=2))[0] == 288


def test_formulas_can_be_added():
    @register_flop_formula(torch.ops.aten.erfinv)
    def formula(shape, out_shape=None):
        return 7 * out_shape[0]
    assert counted(lambda: torch.erfinv(torch.zeros(3)))[0] == 21
