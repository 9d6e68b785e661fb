"""Samples of ops/python/construct.py."""

from .. import S

SAMPLES = {
    "lift_fresh": [S("torch.tensor([1, 2])"), S("torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)"),
                   S("torch.tensor(np.ones(3))"), S("torch.as_tensor(np.ones(3, np.float32))"),
                   S("torch.from_numpy(np.arange(4))")],
    "detach_": [S("(x * 1).detach_()", x="f(3)"), S("torch.tensor(2.5).detach_()")],
}
