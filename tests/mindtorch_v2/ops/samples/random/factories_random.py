"""Samples of ops/random/factories_random.py."""

from .. import S

SAMPLES = {
    "rand": [S("torch.rand(3, 4)"), S("torch.rand(20, dtype=torch.float64)"), S("torch.rand(3, requires_grad=True)")],
    "rand.generator": [S("torch.rand(3, generator=torch.Generator().manual_seed(5))"),
                       S("torch.rand(3, generator=None)")],
    "rand.out": [S("torch.rand(3, out=torch.empty(0))")],
    "rand.generator_out": [S("torch.rand(3, generator=torch.Generator(), out=torch.empty(0))")],
    "randn": [S("torch.randn(3)"), S("torch.randn(5, 7)"), S("torch.randn(17, dtype=torch.bfloat16)"),
              S("torch.randn(3, dtype=torch.complex64)")],
    "randn.generator": [S("torch.randn(20, generator=torch.Generator())")],
    "randn.out": [S("torch.randn(3, out=torch.empty(0))")],
    "randn.generator_out": [S("torch.randn(3, generator=torch.Generator(), out=torch.empty(0))")],
    "randint": [S("torch.randint(5, (3, 4))"), S("torch.randint(high=7, size=(3,), dtype=torch.float32)")],
    "randint.generator": [S("torch.randint(5, (6,), generator=torch.Generator())")],
    "randint.low": [S("torch.randint(-3, 5, (10,))"), S("torch.randint(0, 2**40, (4,))")],
    "randint.low_generator": [S("torch.randint(1, 5, (6,), generator=torch.Generator())")],
    "randint.out": [S("torch.randint(5, (3,), out=x)", x="i(3)")],
    "randint.low_out": [S("torch.randint(2, 5, (3,), out=x)", x="i(3)")],
    "randint.generator_out": [S("torch.randint(5, (3,), generator=torch.Generator(), out=x)", x="i(3)")],
    "randint.low_generator_out": [S("torch.randint(2, 9, (3,), generator=torch.Generator(), out=x)", x="i(3)")],
    "rand_like": [S("torch.rand_like(x)", x="f(3, 4)"), S("torch.rand_like(x.t())", x="f(3, 4)")],
    "rand_like.generator": [S("torch.rand_like(x, generator=torch.Generator())", x="f(3)")],
    "randn_like": [S("torch.randn_like(x)", x="f(5, 4)"),
                   S("torch.randn_like(x.t(), dtype=torch.float64)", x="f(5, 4)")],
    "randn_like.generator": [S("torch.randn_like(x, generator=torch.Generator())", x="f(3)")],
    "randint_like": [S("torch.randint_like(x, 5)", x="f(3, 4)")],
    "randint_like.low_dtype": [S("torch.randint_like(x, 2, 9)", x="i(3, 4)")],
    "randint_like.generator": [S("torch.randint_like(x, 5, generator=torch.Generator())", x="f(3)")],
    "randint_like.low_generator_dtype": [S("torch.randint_like(x, 1, 5, generator=torch.Generator())", x="f(3)")],
    "randint_like.Tensor": [S("torch.randint_like(x, torch.tensor(5))", x="f(3, 4)"),
                            S("torch.randint_like(x, torch.tensor([5, 2]))", x="f(3, 4)")],
    "randint_like.Tensor_generator": [S("torch.randint_like(x, torch.tensor(5), generator=torch.Generator())",
                                        x="f(3, 4)")],
    "randint_like.Tensor_out": [
        S("torch.ops.aten.randint_like.Tensor_out(x, torch.tensor(5), out=torch.empty_like(x))", x="i(3, 4)")],
    "randint_like.Tensor_generator_out": [
        S("torch.ops.aten.randint_like.Tensor_generator_out(x, torch.tensor(5), generator=torch.Generator(), "
          "out=torch.empty_like(x))", x="i(3, 4)")],
    "randperm": [S("torch.randperm(9)"), S("torch.randperm(5, dtype=torch.int32)")],
    "randperm.generator": [S("torch.randperm(9, generator=torch.Generator())")],
    "randperm.out": [S("torch.randperm(4, out=x)", x="i(4)")],
    "randperm.generator_out": [S("torch.randperm(4, generator=torch.Generator(), out=x)", x="i(4)")],
}
