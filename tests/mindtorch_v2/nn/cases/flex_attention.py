"""flex_attention and its masks: numbers, text, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

# without this switch torch compiles the call first, and warns
S = ("from importlib import import_module\nM = import_module(torch.__name__ + '.nn.attention.flex_attention')\nM._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True\n"
     "flex, block, AuxRequest = M.flex_attention, M.create_block_mask, M.AuxRequest\nq, k, v = torch.randn(2, 4, 6, 8), torch.randn(2, 4, 7, 8), torch.randn(2, 4, 7, 5)\nk2, v2 = torch.randn(2, 2, 7, 8), torch.randn(2, 2, 7, 5)\n"
     "def causal(b, h, q, k): return q >= k\ndef near(b, h, q, k): return (q - k).abs() <= 2\ndef document(b, h, q, k): return ids[q] == ids[k]\nids = torch.tensor([0, 0, 0, 1, 1, 2, 2])\nslopes, table = torch.randn(4), torch.randn(2, 4, 13)\n"
     "def alibi(s, b, h, q, k): return s + slopes[h] * (k - q)\ndef relative(s, b, h, q, k): return s + table[b, h, q - k + 6]\ndef capped(s, b, h, q, k): return 2 * torch.tanh(s / 2)\ndef hides(s, b, h, q, k): return torch.where(q >= k, s, -float('inf'))\n"
     "def made(mod=causal, B=None, H=None, Q=6, K=7, **o): return block(mod, B, H, Q, K, device='cpu', **{'BLOCK_SIZE': 2, **o})\n")
CALLS = ("q, k, v", "q, k, v, scale=0.5", *[f"q, k, v, {mod}" for mod in ("alibi", "relative", "capped", "hides")], *[f"q, k, v, block_mask=made({mod})" for mod in ("causal", "near", "document", "M.noop_mask", "M.and_masks(causal, near)", "M.or_masks(causal, document)")],
         "q, k, v, alibi, made(near)", "q, k, v, block_mask=made(lambda b, h, q, k: (b == 0) & (h < 2) & (q >= k), 2, 4)", "q, k, v, block_mask=made(lambda b, h, q, k: q > 3)", "q, k2, v2, enable_gqa=True", "q, k2, v2, alibi, made(), None, True", "q.double(), k.double(), v.double(), capped",
         "q, k[:1], v[:1], block_mask=made(causal, 2)", "q.transpose(1, 2), k[:, :, :6].transpose(1, 2), v[:, :, :6].transpose(1, 2)", "q, k, v, block_mask=made(causal, Q=8)._adjust(6, 7)", "q, k, v, return_aux=AuxRequest(lse=True)", "q, k, v, block_mask=made(lambda b, h, q, k: q > 3), return_aux=AuxRequest(lse=True)",
         "q, k, v, return_aux=AuxRequest()", "q, k, v, kernel_options={'BLOCK_M': 16}")
WRONG = ("q[0], k, v", "q[0, 0, 0], k, v", "q, k[..., :4], v", "q, k2, v2", "q[:, :3], k2, v2, enable_gqa=True", "q, k[:1], v[:1]", "q, k[:1], v[:1], block_mask=made(causal, 1)", "q, k, v, block_mask=made(Q=4)", "q, k, v, block_mask=made(Q=16)", "q, k, v, block_mask=made(K=17)",
         "q, k, v, block_mask=made()[0]", "q, k, v, return_lse=True, return_aux=AuxRequest()", "q, k, v, kernel_options={'BACKEND': 'X'}", "q, k, v, kernel_options={'BACKEND': 'AUTO', 'FORCE_USE_FLEX_ATTENTION': True}", "q, k, v, kernel_options={'OUTPUT_LOGSUMEXP': True}",
         "q.to('meta'), k.to('meta'), v.to('meta')", "q, k.to('meta'), v")
MASKS = ("made()", "made(near)", "made(document)", "made(M.noop_mask)", "made(causal, 2, 3)", "made(separate_full_blocks=False)", "made(BLOCK_SIZE=(2, 3))", "made(BLOCK_SIZE=4)", "made(BLOCK_SIZE=128)", "made(compute_dq_write_order=True)", "made(compute_dq_write_order=True, dq_kv_order=False)", "made()[0]",
         "made(causal, 2, 3)[1, -1]", "made(causal, 2, 3)[:, 1:]", "made()[:, :, 1]", "made(compute_dq_write_order=True)[:, :, :2]", "made()[torch.tensor([0])]", "made()._adjust(4, 5)", "made(compute_dq_write_order=True)._adjust(4, 4)", "made().to('cpu')",
         "M.BlockMask.from_kv_blocks(torch.tensor([[[1, 2]]]).int(), torch.tensor([[[[0, 1], [0, 1]]]]).int(), BLOCK_SIZE=4)", "M.BlockMask.from_kv_blocks(torch.tensor([[[1, 2]]]).int(), torch.tensor([[[[0, 1], [0, 1]]]]).int(), compute_q_blocks=False, dq_kv_order=True)")
SHOWN = "\nout = [repr(m), str(m), m.shape, m.numel(), m.sparsity(), m.to_dense(), m.BLOCK_SIZE, m.seq_lengths, [x for x in m.as_tuple() if not callable(x)], [x for x in m.as_tuple(False) if not callable(x)]]"
OTHERS = ("M.create_mask(causal, None, None, 3, 4, device='cpu')", "M.create_mask(causal, 2, 3, 3, 4, device='cpu')", "M.create_mask(hides, 1, 2, 3, 4, device='cpu')", "M.create_mask(M.noop_mask, 2, None, 3, 4, device='cpu')", "M.create_mask(lambda b, h: 1, 1, 1, 2, 2)", "M.create_mask(lambda b, h, q, k, x=1: q == k, 1, 1, 2, 2)",
          "M.create_mask(M.and_masks(causal, near, document), 1, 1, 7, 7)", "M.and_masks()(ids, ids, ids, ids)", "M.or_masks()(ids, ids, ids, ids)", "M.and_masks(5)", "M.or_masks(5, None)", "block(causal, 1, 1, 2, 2, dq_kv_order=5)", "M.AuxRequest()", "M.AuxRequest(lse=True)", "M.AuxOutput()", "M.__all__",
          "made(causal, 2, 3).to_string(limit=2)", "made(causal, Q=40, K=40).to_string(grid_size=5)", "made(near, Q=40, K=40).to_string((7, 3))", "made()[0].mask_mod(ids, ids, ids, ids)", "made().mask_mod is causal", "M._DEFAULT_SPARSE_BLOCK_SIZE", "M.BlockMask(None, torch.ones(1), torch.ones(1), None, None, None, None, None, None)",
          "M.BlockMask.from_kv_blocks(torch.ones(1), torch.ones(1))", "M.BlockMask.from_kv_blocks(torch.ones(1, 1, 1).int(), torch.zeros(1, 1, 1, 1).int(), torch.ones(1))", "M.BlockMask.from_kv_blocks(torch.ones(1, 1, 1).int(), torch.zeros(1, 1, 1, 1).int(), dq_kv_order='x')",
          "M.BlockMask.from_kv_blocks(torch.ones(1, 1, 1).int(), torch.zeros(1, 1, 1, 1).int(), dq_kv_order=torch.ones(1))[0]", "M.BlockMask.from_kv_blocks(torch.ones(1, 1, 1).int(), torch.zeros(1, 1, 1, 1).int(), dq_kv_order=torch.ones(1))._adjust(1, 1)",
          "M.BlockMask((2, 2), torch.ones(1, 1, 1), torch.ones(1, 1, 1, 1), None, None, None, None, None, None, dq_write_order_full=ids)")

CASES = {
    **{f"flex({call})": S + f"out = flex({call})" for call in (*CALLS, *WRONG)},
    **{mask: S + f"m = {mask}" + SHOWN for mask in MASKS},
    **{other: S + f"out = {other}" for other in OTHERS},
    "return_lse": S + "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    out = flex(q, k, v, return_lse=True)",
    **{f"halves {t}": S + f"x = flex(*[t.to(torch.{t}) for t in (q, k, v)], alibi)\nout = [str(x.dtype), bool((x.float() - flex(q, k, v, alibi)).abs().max() < 0.05)]" for t in ("float16", "bfloat16")},
    "set anew": S + "m = made()[:, :, 1:]\nm.mask_mod = near\nout = [repr(m), m.mask_mod is near]",
    "strides": S + "x, y = torch.randn(2, 6, 4, 8).transpose(1, 2), torch.randn(2, 4, 6, 8)\nout = [list(flex(t, t, t).stride()) for t in (x, y, x.transpose(0, 1))]",
}
