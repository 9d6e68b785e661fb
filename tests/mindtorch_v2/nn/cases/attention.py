"""Attention of several heads: text, numbers, gradients, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = ("q, k, v = [torch.randn(n, 2, 8, requires_grad=True) for n in (3, 4, 4)]\n"
     "am, ab, a3 = torch.randn(3, 4), torch.rand(3, 4) > 0.7, torch.randn(4, 3, 4)\n"
     "kp, kf = torch.tensor([[0, 0, 0, 1], [0, 1, 0, 0]]).bool(), torch.randn(2, 4)\nsq = torch.ones(3, 3).triu(1).bool()\n"
     "x, xp = torch.randn(2, 3, 8), torch.tensor([[0, 0, 0], [0, 0, 1]]).bool()\n")
LAYERS = ("8, 2", "8, 2, bias=False", "8, 2, add_bias_kv=True", "8, 2, add_zero_attn=True", "8, 2, add_bias_kv=True, add_zero_attn=True", "8, 2, dropout=0.4", "8, 8")
CALLS = ("q, k, v", "q, q, q", "q, k, k", "q, k, v, need_weights=False", "q, q, q, need_weights=False", "q, k, v, attn_mask=am", "q, k, v, attn_mask=ab", "q, k, v, kp", "q, k, v, kp, attn_mask=ab",
         "q, k, v, kf, attn_mask=am", "q, k, v, kp, attn_mask=am", "q, k, v, kp, False, ab", "q, k, v, average_attn_weights=False", "q, q, q, attn_mask=sq, is_causal=True, need_weights=False", "q, q, q, attn_mask=sq, is_causal=True")
TRAIN = "out = list(m({}))\n(out[0].pow(3).mean() + (0 if out[1] is None else out[1].square().mean())).backward()\nout += [None if t.grad is None else t.grad.flatten()[:8] for t in (q, k, v, *m.parameters())]"
EVAL = ("x, x, x", "x, x, x, need_weights=False", "x, x, x, average_attn_weights=False", "x, x, x, xp", "x, x, x, xp, False", "x, x, x, attn_mask=sq", "x, x, x, xp, attn_mask=sq", "x, x, x, attn_mask=torch.zeros(3, 3)",
        "x, x, x[:]", "x, x, x, torch.ones(2, 3).bool()", "x[:0], x[:0], x[:0]")
MADE = ("8, 2", "8, 2, bias=False", "8, 2, kdim=3", "8, 2, vdim=3, add_bias_kv=True", "8, 2, add_bias_kv=True, add_zero_attn=True, dtype=torch.float64")
WRONG = ("nn.MultiheadAttention(0, 2)", "nn.MultiheadAttention(8, 3)", "nn.MultiheadAttention(8, 0)", "m(q[0, 0], k, v)", "m(q, k[0], v)", "m(q[:, 0], k, v)", "m(q, k, v, kp[0])", "m(q[:, 0], k[:, 0], v[:, 0], kp)", "m(q, k, v, attn_mask=am[0])",
         "m(q[:, 0], k[:, 0], v[:, 0], attn_mask=am[0])", "m(q[:, 0], k[:, 0], v[:, 0], attn_mask=a3)", "m(q, k, v, attn_mask=am.T)", "m(q, k, v, attn_mask=a3[:1])", "m(q, k, v, attn_mask=am.long())", "m(q, k, v, kp.long())", "m(q, k, v, is_causal=True)",
         "m(q[..., :6], k, v)", "m(q, k, v[:2])", "m(q, k, v, kp[:1])", "m(q, k, v, kp[:, :2])", "nn.MultiheadAttention(8, 2, kdim=4)(q, k, v)", "nn.MultiheadAttention(8, 2, vdim=4)(q, k, v)", "nn.MultiheadAttention(8, 2, kdim=4)(q, k[..., :4], v[:2])",
         "m(q.double(), k.double(), v.double())", "m(q[:, 0], k[:, 0], v[:, 0], attn_mask=5)", "m(q)")
FUNCTION = S + ("w, b, o, c = torch.randn(24, 8), torch.randn(24), torch.randn(8, 8), torch.randn(8)\nsk, sv, bk, bv = torch.randn(4, 5, 4), torch.randn(4, 5, 4), torch.randn(1, 1, 8), torch.randn(1, 1, 8)\nwq, wk, wv = w.chunk(3)\n"
                "f = lambda *a, bk=None, bv=None, zero=False, p=0.0, w=w, b=b, heads=2, **k: F.multi_head_attention_forward(*a, 8, heads, w, b, bk, bv, zero, p, o, c, **k)\n")
APART = "use_separate_proj_weight=True, q_proj_weight=wq, k_proj_weight=wk, v_proj_weight="
FUNCTIONS = ("f(q, k, v)", "f(q, k, v, p=0.5)", "f(q, k, v, p=0.5, training=False)", "f(q, k, v, static_k=sk, static_v=sv)", "f(q, k, v, zero=True, static_k=sk, static_v=sv, need_weights=False)", "f(q, k, v, bk=bk, bv=bv, static_k=sk)", "f(q, k, v, bk=bk, bv=bv, static_v=sv)",
             "f(q, k, v, bk=bk)", "f(q, k, v, bv=bv)", "f(q, k, v, static_k=sk[:1])", "f(q, k, v, static_v=sv[..., :1])", f"f(q, k, v, {APART}wv)", f"f(q, k, v, {APART}wv[:4])", f"f(q, k, v, {APART}None)", f"f(q, k, v, {APART}wv, b=b[:9])", "f(q, k, v, w=None)",
             "f(q, k, v, heads=3)", "f(q, k, v, b=None)")

CASES = {
    **{f"{layer}: {call}": S + f"m = nn.MultiheadAttention({layer})\n" + TRAIN.format(call) for layer in LAYERS for call in CALLS},
    **{f"not trained, {layer}: {call}": S + f"m = nn.MultiheadAttention({layer}, batch_first=True).eval()\nwith torch.no_grad(): out = m({call})" for layer in ("8, 2", "8, 1", "8, 2, bias=False", "8, 4, dropout=0.5") for call in EVAL},
    **{f"made {made}": f"m = nn.MultiheadAttention({made})\nout = [repr(m), m.state_dict(), m._qkv_same_embed_dim, m.head_dim, m.kdim, m.vdim]" for made in MADE},
    **{wrong: S + f"m = nn.MultiheadAttention(8, 2)\nout = {wrong}" for wrong in WRONG},
    **{call: FUNCTION + f"out = {call}" for call in FUNCTIONS},
    "3-D mask": S + "m = nn.MultiheadAttention(8, 2)\n" + TRAIN.format("q, k, v, attn_mask=a3"),
    "3-D mask fused": S + "m = nn.MultiheadAttention(8, 2)\n" + TRAIN.format("q, k, v, attn_mask=a3, need_weights=False"),
    "other widths": S + "m = nn.MultiheadAttention(8, 2, kdim=5, vdim=7)\nk, v = [torch.randn(4, 2, n, requires_grad=True) for n in (5, 7)]\n" + TRAIN.format("q, k, v"),
    **{f"unbatched {n}": S + "m = nn.MultiheadAttention(8, 2, batch_first=True)\nq, k, v = [t[:, 0].detach().requires_grad_() for t in (q, k, v)]\n" + TRAIN.format(f"q, k, v, key_padding_mask=kp[0], attn_mask=a3[:2], need_weights={n}") for n in (True, False)},
    **{f"{t} {n}": S + f"m = nn.MultiheadAttention(8, 2, dtype={t})\nout = m(*[x.to({t}) for x in (q, k, v)], need_weights={n})[0].double().mul(100).round().abs().max() < 1e4" for t in ("torch.float64", "torch.bfloat16", "torch.float16") for n in (True, False)},
    "meta": S + "m = nn.MultiheadAttention(8, 2, device='meta')\nq = q.to('meta')\nout = [list(t.shape) for t in m(q, q, q)]",
    "meta, not trained": S + "m = nn.MultiheadAttention(8, 2, device='meta', batch_first=True).eval()\nx = x.to('meta')\nwith torch.no_grad(): out = [list(t.shape) for t in m(x, x, x)]",
    "strided": S + "m = nn.MultiheadAttention(8, 2)\nq, k = torch.randn(8, 2, 3).permute(2, 1, 0).requires_grad_(), torch.randn(4, 2, 16)[..., ::2].requires_grad_()\n" + TRAIN.format("q, k, v"),
    "no sequences": S + "m = nn.MultiheadAttention(8, 2)\nout = m(q[:, :0], k[:, :0], v[:, :0])",
    "no keys": S + "m = nn.MultiheadAttention(8, 2)\nout = m(q, k[:0], v[:0], need_weights=False)",
    "switched off": S + "torch.backends.mha.set_fastpath_enabled(False)\nm = nn.MultiheadAttention(8, 2, batch_first=True).eval()\nwith torch.no_grad(): out = [m(x, x, x), torch.backends.mha.get_fastpath_enabled()]\ntorch.backends.mha.set_fastpath_enabled(True)",
    "merge_masks": S + "m = nn.MultiheadAttention(8, 2)\nf = torch.zeros(2, 3)\nout = [m.merge_masks(None, None, x), m.merge_masks(None, f, x), m.merge_masks(torch.ones(3, 3), None, x), m.merge_masks(torch.ones(3, 3), f, x), m.merge_masks(torch.ones(4, 3, 3), f, x)]",
    "load": S + "a, b = nn.MultiheadAttention(8, 2), nn.MultiheadAttention(8, 2)\nb.load_state_dict(a.state_dict())\nout = (a(q, k, v)[0] == b(q, k, v)[0]).all()",
    "pickled": S + "import pickle\na = nn.MultiheadAttention(8, 2)\nb = pickle.loads(pickle.dumps(a))\nout = (a(q, k, v)[0] == b(q, k, v)[0]).all()",
    "second gradients": S + "m = nn.MultiheadAttention(8, 2)\ng, = torch.autograd.grad(m(q, k, v)[0].pow(3).mean(), q, create_graph=True)\ng.square().mean().backward()\nout = [q.grad, m.in_proj_weight.grad]",
    "its address": "from importlib import import_module\nout = import_module(torch.__name__ + '.nn.modules.activation').MultiheadAttention is nn.MultiheadAttention",
}
