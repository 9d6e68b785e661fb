"""The rows that checkpoints leave: a setup, and the call that is watched."""

from __future__ import annotations

S = """
C = __import__(torch.__name__ + '.utils.checkpoint').utils.checkpoint
b = nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Dropout(0.5), nn.Linear(12, 6)); aten = torch.ops.aten
x = torch.linspace(0.1, 1, 30).view(5, 6).requires_grad_()
def go(f, **options):
    r = C.checkpoint(f, x, **{'use_reentrant': False, **options})
    r.sum().backward()
def keep(*ops):
    return lambda: C.create_selective_checkpoint_contexts(list(ops))
"""
CALLS = (
    "go(b)", "go(b, use_reentrant=True)", "go(b, early_stop=False)", "go(lambda x: x.sin().exp().sin())",
    "go(lambda x: x.softmax(-1) @ b[0].weight.t())", "go(lambda x: C.checkpoint(b, x, use_reentrant=False).sin())",
    "go(b, context_fn=keep(aten.addmm.default))",
    "go(lambda x: x.sin().exp().sin(), context_fn=keep(aten.sin.default))",
    "C.checkpoint_sequential(b, 2, x, use_reentrant=False).sum().backward()",
    "torch.autograd.grad(C.checkpoint(b, x, use_reentrant=False).sum(), [x])",
)
CASES = {call: (S, call) for call in CALLS}
