"""What results lie in: shapes that broadcast, memory that is resized, repeated, or read while it is written."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch


def test_lerp_towards_a_single_number():
    start = torch.arange(6.0).reshape(2, 3)
    assert torch.lerp(start, torch.tensor(2.0), 0.5).tolist() == ((start + 2) / 2).tolist()
    assert torch.lerp(torch.ones(2, 0), torch.tensor(2.0), 0.5).shape == (2, 0)


def test_a_view_that_strides_do_not_allow_is_refused_inside_ops_too():
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        torch.kron(torch.arange(6).reshape(2, 1, 3), torch.arange(6).reshape(3, 1, 2).permute(2, 1, 0))


@pytest.mark.parametrize("product", [lambda x, y: torch.mm(x, y, out=x),
                                     lambda x, y: torch.addmm(torch.zeros(3), x, y, out=x)], ids=["mm", "addmm"])
def test_a_product_into_an_operand_that_must_be_resized_is_right(product):
    x, y = torch.arange(6.0).reshape(3, 2), torch.arange(6.0).reshape(2, 3)
    expected = (x @ y).tolist()
    assert product(x, y).tolist() == expected


@pytest.mark.parametrize("like", [torch.clone, torch.zeros_like, torch.isinf, lambda x: x.flip(0), torch.floor])
def test_what_is_made_like_a_repeated_row_lies_row_by_row(like):
    assert like(torch.arange(3).expand(2, 3)).stride() == (3, 1)


def test_a_resized_out_lies_as_its_operand_does():
    out = torch.empty(0)
    torch.exp(torch.zeros(2, 3).t(), out=out)
    assert out.shape == (3, 2) and out.stride() == (1, 3)


def rows_inside(call) -> list[str]:
    with torch.profiler.profile() as prof:
        call()
    return [event.name for event in prof.events() if event.cpu_parent is not None]


@pytest.mark.parametrize("write", [
    lambda x, out: torch.add(x, x, out=out), lambda x, out: torch.exp(x, out=out),
    lambda x, out: torch.floor(x, out=out), lambda x, out: torch.div(x, x, rounding_mode="floor", out=out),
    lambda x, out: torch.where(x == x, x, x, out=out), lambda x, out: torch.clamp_min(x, 0, out=out),
    lambda x, out: torch.nan_to_num(x, out=out)],
    ids=["add", "exp", "floor", "div", "where", "clamp_min", "nan_to_num"])
def test_an_op_gives_a_resized_out_the_strides_of_its_operand(write):
    x, out = torch.zeros(2, 3).t(), torch.empty(0)
    assert rows_inside(lambda: write(x, out)) == ["aten::as_strided_"]
    assert out.stride() == (1, 3)


@pytest.mark.parametrize(("write", "rows"), [
    (lambda x, out: torch.floor(x, out=out), ["aten::copy_"]),
    (lambda x, out: torch.isposinf(x, out=out), ["aten::fill_"])], ids=["floor", "isposinf"])
def test_whole_numbers_are_copied_or_answered_by_an_op_in_out_too(write, rows):
    x = torch.tensor([1, 2])
    out = torch.empty(2, dtype=torch.bool if rows == ["aten::fill_"] else x.dtype)
    assert rows_inside(lambda: write(x, out)) == rows
    assert out.tolist() == ([False, False] if out.dtype is torch.bool else [1, 2])


def test_a_number_to_the_power_of_a_transposed_tensor_lies_in_order():
    assert torch.pow(2, torch.zeros(2, 3).t()).stride() == (2, 1)


def test_a_rounded_quotient_does_not_grow_the_tensor_it_is_written_into():
    with pytest.raises(RuntimeError, match=r"output with shape \[3\] doesn't match the broadcast shape \[2, 3\]"):
        torch.ones(3).div_(torch.ones(2, 3), rounding_mode="floor")


def test_no_op_is_needed_for_a_resized_image_whose_channels_lie_last():
    x, out = torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last), torch.empty(0)
    assert rows_inside(lambda: torch.add(x, x, out=out)) == []
    assert out.stride() == x.stride() == (60, 1, 15, 3)


def test_channels_lie_last_in_images_only():
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        torch.ones(5).contiguous(memory_format=torch.channels_last)
    x = torch.ones(0).resize_((2, 3, 4, 5), memory_format=torch.channels_last)
    assert x.stride() == (60, 1, 15, 3)


def test_halves_are_filled_with_infinity_where_a_number_is_too_large_for_them():
    x = torch.zeros(2, dtype=torch.float16)
    x[0] = 1e300
    assert x.tolist() == [float("inf"), 0.0]
    with pytest.raises(RuntimeError, match="without overflow"):
        torch.full((2,), 1e300, dtype=torch.float16)


def test_an_unsigned_type_refuses_every_number_below_zero_that_is_not_whole():
    with pytest.raises(RuntimeError, match="value cannot be converted to type uint8_t without overflow"):
        torch.zeros(1, dtype=torch.uint8).fill_(-0.5)


def test_a_complex_number_is_no_real_one():
    assert int(torch.tensor(2 + 0j)) == 2
    with pytest.raises(RuntimeError, match="without overflow"):
        float(torch.tensor(1 + 2j))


def test_distinct_values_have_no_derivative():
    made = torch.unique(torch.ones(3, requires_grad=True))
    with pytest.raises(NotImplementedError, match="the derivative for '_unique2' is not implemented"):
        made.sum().backward()


def test_parameters_of_a_norm_have_one_type():
    x = torch.ones(2, 2)
    with pytest.raises(RuntimeError, match="mixed dtype"):
        torch.nn.functional.layer_norm(x, (2,), torch.ones(2, dtype=torch.float64))
    halves = torch.nn.functional.layer_norm(x.half(), (2,), torch.ones(2), torch.ones(2))
    assert halves.dtype is torch.float16
