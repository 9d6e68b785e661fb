"""torchvision's compiled ops: declared when its library is loaded. Values of roi_align were recorded with PyTorch."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

torch.ops.load_library("/somewhere/torchvision/_C.so")
OPS = torch.ops.torchvision
REGIONS = [[0, 1.3, 2.2, 9.7, 12.1], [1, -2, -1, 30, 18], [0, 3, 3, 3.2, 3.1]]
# (sampling_ratio, aligned): sums of the result and of the input's gradient for its square, each plain and of sizes
ALIGNED = {(0, False): (12.3046, 46.5811, 24.6091, 75.5574), (0, True): (-20.1062, 77.8070, -40.2123, 143.8218),
           (2, False): (12.3836, 51.8776, 24.7673, 86.6575), (2, True): (-20.1258, 77.9885, -40.2516, 144.3912)}


def test_a_library_that_is_not_known_cannot_be_loaded():
    with pytest.raises(OSError, match="compiled against PyTorch's own library"):
        torch.ops.load_library("/somewhere/else/_C.so")


def test_boxes_that_overlap_better_ones_are_dropped():
    boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 9, 9]])
    assert OPS.nms(boxes, torch.tensor([0.9, 0.95, 0.3, 0.2]), 0.5).tolist() == [1, 2]
    assert OPS.nms(boxes[:0], torch.tensor([]), 0.5).tolist() == []


@pytest.mark.parametrize("sampling_ratio, aligned", ALIGNED)
def test_regions_are_averaged_as_by_torchvision(sampling_ratio, aligned):
    torch.manual_seed(0)
    x = torch.randn(2, 3, 16, 20, requires_grad=True)
    out = OPS.roi_align(x, torch.tensor(REGIONS), 0.5, 4, 4, sampling_ratio, aligned)
    out.pow(2).sum().backward()
    sums = [t.sum().item() for t in (out, out.abs(), x.grad, x.grad.abs())]
    assert sums == pytest.approx(ALIGNED[sampling_ratio, aligned], abs=1e-3)


def test_the_largest_pixels_of_regions_have_gradients():
    x = torch.randn(1, 2, 8, 8, dtype=torch.float64, requires_grad=True)
    region = torch.tensor([[0, 1.0, 1, 6, 5]], dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda x: OPS.roi_pool(x, region, 1.0, 3, 3)[0], (x,))
    whole = torch.tensor([[0, 0, 0, 7.0, 7]], dtype=torch.float64)
    assert OPS.roi_pool(x, whole, 1.0, 1, 1)[0].flatten().tolist() == x.amax((0, 2, 3)).tolist()


def test_a_convolution_that_is_not_moved_is_a_convolution():
    x, weight, bias = torch.randn(2, 4, 6, 7), torch.randn(4, 2, 3, 3), torch.randn(4)
    offset, mask = torch.zeros(2, 36, 6, 7), torch.zeros(2, 0, 6, 7)
    out = OPS.deform_conv2d(x, weight, offset, mask, bias, 1, 1, 1, 1, 1, 1, 2, 2, False)
    assert torch.allclose(out, torch.nn.functional.conv2d(x, weight, bias, padding=1, groups=2), atol=1e-5)


def test_a_moved_convolution_has_gradients():
    shapes = (1, 2, 3, 3), (2, 2, 2, 2), (1, 8, 2, 2), (1, 4, 2, 2), (2,)
    given = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    assert torch.autograd.gradcheck(lambda *t: OPS.deform_conv2d(*t, 1, 1, 0, 0, 1, 1, 1, 1, True), given)


def test_an_op_that_is_not_written_says_so():
    with pytest.raises(NotImplementedError, match="Could not run 'torchvision::ps_roi_pool'"):
        OPS.ps_roi_pool(torch.ones(1, 4, 4, 4), torch.tensor(REGIONS[:1]), 1.0, 2, 2)


def test_a_kernel_of_the_user_reads_results_by_their_names():
    library = torch.library.Library("named_results", "DEF")
    library.define("first(Tensor x) -> Tensor")
    library.impl("first", lambda x: x.sort().indices, "CPU")
    assert torch.ops.named_results.first(torch.tensor([2.0, 1.0])).tolist() == [1, 0]
