"""Samples of ops/create/factories.py. Memory without values is given some before it is compared."""

from .. import S

SAMPLES = {
    "empty.memory_format": [S("torch.empty(2, 3).fill_(1)"), S("torch.empty((2, 3), dtype=torch.int64).zero_()"),
                            S("torch.empty(2, 3, 4, 5, memory_format=torch.channels_last).zero_()"),
                            S("torch.empty(0)")],
    "empty.out": [S("torch.empty(3, out=torch.empty(0)).fill_(2)")],
    "empty_strided": [S("torch.empty_strided((2, 3), (1, 2)).zero_()"),
                      S("torch.empty_strided((2, 3), (10, 2)).zero_()")],
    "empty_like": [S("torch.empty_like(x).zero_()", x="f(3, 4)"), S("torch.empty_like(x.t()).zero_()", x="f(3, 4)"),
                   S("torch.empty_like(x, dtype=torch.float64).zero_()", x="i(3)"),
                   S("torch.empty_like(x.t(), memory_format=torch.contiguous_format).zero_()", x="f(3, 4)")],
    "zeros": [S("torch.zeros(2, 3)"), S("torch.zeros((), dtype=torch.bool)"), S("torch.zeros(2, 0)")],
    "zeros.out": [S("torch.zeros(2, 3, out=torch.empty(0))"), S("torch.zeros(2, 3, out=torch.ones(6))")],
    "ones": [S("torch.ones(2, 3)"), S("torch.ones(3, dtype=torch.int64)"), S("torch.ones(3, requires_grad=True)")],
    "ones.out": [S("torch.ones(4, out=torch.empty(0))")],
    "full": [S("torch.full((2, 3), 2)"), S("torch.full((3,), 2.5)"), S("torch.full((3,), True)"),
             S("torch.full((2,), 1, dtype=torch.float64)")],
    "full.out": [S("torch.full((2,), 2.5, out=torch.empty(0))")],
    "zeros_like": [S("torch.zeros_like(x)", x="f(3, 4)"), S("torch.zeros_like(x, dtype=torch.int64)", x="f(3, 4)"),
                   S("torch.zeros_like(x.t())", x="f(3, 4)")],
    "ones_like": [S("torch.ones_like(x)", x="f(3, 4)"), S("torch.ones_like(x)", x="b(3)")],
    "full_like": [S("torch.full_like(x, 3)", x="f(3, 4)"), S("torch.full_like(x, 2.5, dtype=torch.float64)", x="i(2)")],
    "new_empty": [S("x.new_empty(2, 3).zero_()", x="d(1)"),
                  S("x.new_empty((2,), dtype=torch.int64).zero_()", x="d(1)")],
    "new_empty_strided": [S("x.new_empty_strided((2, 3), (1, 2)).zero_()", x="d(1)")],
    "new_zeros": [S("x.new_zeros(2, 3)", x="d(1)"), S("x.new_zeros(2, dtype=torch.bool)", x="d(1)")],
    "new_ones": [S("x.new_ones(2, 3)", x="i(1)"), S("x.new_ones((2,), requires_grad=True)", x="f(1)")],
    "new_full": [S("x.new_full((2, 3), 5)", x="f(1)"), S("x.new_full((2,), 2.5, dtype=torch.float64)", x="i(1)")],
    "scalar_tensor": [S("torch.scalar_tensor(3)"), S("torch.scalar_tensor(3, dtype=torch.int64)")],
}
