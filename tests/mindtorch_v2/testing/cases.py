"""Calls of assert_close() and make_tensor(), for PyTorch when it is recorded and for ours when it is tested."""

from __future__ import annotations

from collections.abc import Callable


def cases(torch) -> dict[str, Callable]:
    """By name; each returns something, or raises."""
    close, t, ones, zeros = torch.testing.assert_close, torch.tensor, torch.ones, torch.zeros
    nan, inf = float("nan"), float("inf")

    def made(*args, **kwargs):
        torch.manual_seed(0)
        return torch.testing.make_tensor(*args, device="cpu", **kwargs).tolist()

    return {
        "close": lambda: close(ones(2), ones(2)), "values": lambda: close(t([1., 2., 3.]), t([1., 2.5, 3.])),
        "no dimensions": lambda: close(t(1.), t(1.5)), "floats": lambda: close(1.0, 1.5),
        "ints": lambda: close(1, 2), "int and float": lambda: close(1, 1.0), "shape": lambda: close(ones(2), ones(3)),
        "int and float, unchecked": lambda: close(1, 1.0, check_dtype=False),
        "dtype": lambda: close(ones(2), ones(2).double()), "whole": lambda: close(t([1, 2]), t([1, 3])),
        "dtype, unchecked": lambda: close(ones(2), ones(2).double(), check_dtype=False),
        "truth": lambda: close(t([True]), t([False])), "bools": lambda: close(True, False),
        "nan": lambda: close(t([nan]), t([nan])), "equal nan": lambda: close(t([nan]), t([nan]), equal_nan=True),
        "nan as a number": lambda: close(nan, nan), "inf": lambda: close(t([inf]), t([1.])),
        "list": lambda: close([ones(1), ones(1)], [ones(1), zeros(1)]), "lengths": lambda: close([ones(1)], []),
        "keys": lambda: close({"a": ones(1)}, {"b": ones(1)}), "tuple": lambda: close((ones(1),), [ones(1)]),
        "nested": lambda: close({"a": {"c": [ones(1)]}}, {"a": {"c": [zeros(1)]}}),
        "lists of numbers": lambda: close([1, [2, 3]], [1, [2, 4]]), "words": lambda: close("a", "b"),
        "none": lambda: close(None, t([1.])), "nones": lambda: close(None, None), "set": lambda: close({1}, {1}),
        "numpy": lambda: close(ones(1).numpy(), zeros(1).numpy()), "tensor and list": lambda: close(ones(1), [1.0]),
        "rtol alone": lambda: close(ones(1), ones(1), rtol=1e-3), "atol alone": lambda: close(1, 1, atol=1),
        "tolerances": lambda: close(t([1.]), t([1.1]), rtol=0, atol=0.05),
        "message": lambda: close(ones(1), zeros(1), msg="mine"),
        "message of message": lambda: close(ones(1), zeros(1), msg=lambda text: "Head\n" + text),
        "stride": lambda: close(ones(2, 3).t(), ones(3, 2), check_stride=True),
        "device": lambda: close(ones(2), ones(2, device="meta")),
        "matrix": lambda: close(zeros(3, 4), torch.arange(12.).view(3, 4)),
        "complex": lambda: close(t([1 + 1j]), t([1 + 2j])), "half": lambda: close(t([1.]).half(), t([1.01]).half()),
        "bfloat16": lambda: close(ones(2).bfloat16(), ones(2).bfloat16() * 1.1),
        "subclass": lambda: close(torch.nn.Parameter(ones(1)), ones(1)), "empty": lambda: close(ones(0), ones(0)),
        "near zero": lambda: close(t([0., 0.]), t([0., 1e-3])), "zero": lambda: close(t([1., 0.]), t([0., 0.])),
        "long": lambda: close(t([2 ** 62]), t([2 ** 62 + 1])),
        "bytes": lambda: close(t([1], dtype=torch.uint8), t([255], dtype=torch.uint8)),
        "compressed": lambda: close(torch.eye(2).to_sparse_csr(), torch.eye(2).to_sparse_csr() * 2),
        "sparse and dense": lambda: close(torch.eye(2).to_sparse(), torch.eye(2) * 2, check_layout=False),
        "eight bits": lambda: close(t([[1., 2.], [3., 4.]]).to(torch.float8_e5m2),
                                    t([[1., 2.], [3., 5.]]).to(torch.float8_e5m2)),
        "equal eight bits": lambda: close(t([1., 2.]).to(torch.float8_e4m3fn), t([1., 2.]).to(torch.float8_e4m3fn)),
        "nan of eight bits": lambda: close(t([nan]).to(torch.float8_e5m2), t([nan]).to(torch.float8_e5m2)),
        "tolerances of eight bits": lambda: close(t([1.]).to(torch.float8_e5m2), t([1.25]).to(torch.float8_e5m2),
                                                  rtol=0.5, atol=0.5),
        "allclose": lambda: torch.testing.assert_allclose(ones(1), zeros(1)),
        "allclose to numbers": lambda: torch.testing.assert_allclose(ones(2), [1, 1.00001]),
        "float": lambda: made(3, dtype=torch.float32), "int": lambda: made((2, 2), dtype=torch.int64),
        "bool": lambda: made((2, 2), dtype=torch.bool), "uint8": lambda: made((2, 2), dtype=torch.uint8),
        "double": lambda: made(2, 2, dtype=torch.float64, low=0, high=1),
        "complex64": lambda: [[z.real, z.imag] for z in made(2, dtype=torch.complex64)],
        "noncontiguous": lambda: made((2, 3), dtype=torch.float32, noncontiguous=True),
        "gradients of ints": lambda: made(2, dtype=torch.int64, requires_grad=True),
    }


def answer(call: Callable) -> object:
    """What a call returns, or its error as text."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001  every error is an answer
        return f"{type(error).__name__}: {error}".replace("mindtorch_v2.", "torch.")
