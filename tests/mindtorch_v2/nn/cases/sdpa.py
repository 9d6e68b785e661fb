"""Scaled dot product attention: numbers, gradients, checks, switches, causal biases."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = ("from importlib import import_module\nA, I, C = import_module(torch.__name__ + '.nn.attention'), import_module(torch.__name__ + '.nn.attention.bias'), torch.backends.cuda\nB = A.SDPBackend\n"
     "q, k, v = [torch.randn(2, 4, n, 8, requires_grad=True) for n in (3, 5, 5)]\nk2, v2 = [torch.randn(2, 2, 5, 8, requires_grad=True) for _ in range(2)]\nv6 = torch.randn(2, 4, 5, 6, requires_grad=True)\n"
     "q3, k3, v3 = [t[0].detach().requires_grad_() for t in (q, k, v)]\nq2, k1, v1 = [t[0, 0].detach().requires_grad_() for t in (q, k, v)]\n"
     "mb, mf, mg, m4, m41, m3 = torch.rand(3, 5) > 0.4, torch.randn(3, 5), torch.randn(3, 5, requires_grad=True), torch.randn(2, 4, 3, 5), torch.randn(2, 1, 1, 5), torch.randn(4, 3, 5)\nhidden, lost = torch.zeros(3, 5).bool(), torch.full((3, 5), float('-inf'))\n")
GIVEN = ("q, k, v", "q, k, v, is_causal=True", "q, q, q, is_causal=True", "q, k, v, mb", "q, k, v, mf", "q, k, v, mg", "q, k, v, m4", "q, k, v, m41", "q, k, v, m3", "q, k, v, hidden", "q, k, v, lost", "q, k, v, mb[0]", "q, k, v, mf.double()",
         "q, k, v, mb, is_causal=True", "q, k, v, None, 0.5", "q, k, v, mb, 0.5", "q, k, v, scale=0.3", "q, k, v, scale=-0.3", "q, k, v, scale=0.0", "q, k2, v2, enable_gqa=True", "q, k2, v2", "q, k2, v2, enable_gqa=True, is_causal=True",
         "q, k2, v2, mf, enable_gqa=True", "q, k, v6", "q3, k3, v3", "q3, k3, v3, mb", "q3, k3, v3, m3", "q3, k3, v3, is_causal=True", "q2, k1, v1", "q2, k1, v1, mf", "q2, k1, v1, None, 0.3, True", "q3, k3, v3, enable_gqa=True",
         "q, k2, v2, None, 0.2, enable_gqa=True", "q.transpose(1, 2), k[:, :3].transpose(1, 2), v[:, :3].transpose(1, 2)", "q[..., ::2], k[..., ::2], v[..., ::2]", "q[:, :0], k[:, :0], v[:, :0]", "q[:, :, :0], k, v", "q, k[:, :, :0], v[:, :, :0]",
         "q[..., :0], k[..., :0], v", "q, k, v[..., :0]", "q, k[..., :4], v", "q[:1], k, v", "q, k[:1], v[:1]", "q[0, 0, 0], k, v", "q.double(), k, v", "q, k, v, mb.long()", "q.long(), k.long(), v.long()", "q, k, v, dropout_p=1.0",
         "q, k, v, dropout_p=-0.5", "q, k, v, dropout_p=1.5", "q.double(), k.double(), v.double()", "q, k, v, mb[:2]", "q, k, v, mb[:, :2]", "q, k3, v3", "q3, k, v", "q[:, :3], k2, v2, enable_gqa=True",
         "q, k, v, I.causal_upper_left(3, 5)", "q, k, v, I.causal_lower_right(3, 5)", "q, q, q, I.causal_lower_right(3, 3)", "q, k, v, attn_mask=I.causal_lower_right(3, 5)", "q, k, v, I.causal_upper_left(3, 5), 0.0, True",
         "q, k, v, I.causal_lower_right(3, 5), 0.5", "q3, k3, v3, I.causal_upper_left(3, 5)", "q, k[..., :4], v, I.causal_lower_right(3, 5)", "q, k2, v2, I.causal_lower_right(3, 5), enable_gqa=True", "q, k.double(), v, I.causal_lower_right(3, 5)")
MATH = ("q, k, v", "q, k, v, mf", "q, k, v, mb", "q, k, v, is_causal=True", "q, k, v, mf, 0.0, True", "q, k, v, None, 0.5", "q, k2, v2, enable_gqa=True", "q, k, v, scale=2.0")
FLASH = ("q, k, v", "q, k, v, 0.0, True", "q, k, v, attn_mask=mf", "q, k, v, 0.5", "q3, k3, v3", "q, k, v6", "q.long(), k.long(), v.long()", "q, k.double(), v")
SAID = "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    try:\n        with A.sdpa_kernel({}{}): out = F.scaled_dot_product_attention({})\n    except Exception as e: out = repr(e)\nout = [out, [str(x.message).split(' (Trig')[0] for x in w], A._cur_sdpa_kernel_backends(True)]"
ALLOWED = ("B.MATH", "B.FLASH_ATTENTION", "B.EFFICIENT_ATTENTION", "[B.MATH, B.FLASH_ATTENTION]", "[]", "5", "'MATH'", "B.OVERRIDEABLE")
ALONE = ("q, k, v, dropout_p=0.5", "q, k2, v2", "q, k[:, :3], v[:, :3], enable_gqa=True", "q, k2, v2[:, :1], enable_gqa=True", "q, k[:1], v[:1]", "q, k, v6", "q[..., ::2], k[..., ::2], v[..., ::2]", "q, k, v, m3", "q, k, v, m4[..., :4]", "q, k, v, mg",
         "q3, k3, v3", "q[:, :, :0], k, v", "q.long(), k.long(), v.long()", "q.transpose(2, 3), q.transpose(2, 3), q.transpose(2, 3)")
SWITCHES = ("[C.flash_sdp_enabled(), C.math_sdp_enabled(), C.mem_efficient_sdp_enabled(), C.cudnn_sdp_enabled(), C.fp16_bf16_reduction_math_sdp_allowed(), C.is_flash_attention_available()]",
            "[C.enable_flash_sdp(False), C.flash_sdp_enabled(), C.enable_flash_sdp(True), C.flash_sdp_enabled()]", "[C.enable_math_sdp(False), C.math_sdp_enabled(), C.enable_math_sdp(True)]", "C.enable_math_sdp(1)",
            "[C.enable_cudnn_sdp(False), C.cudnn_sdp_enabled(), C.enable_cudnn_sdp(True)]", "[C.enable_mem_efficient_sdp(False), C.mem_efficient_sdp_enabled(), C.enable_mem_efficient_sdp(True)]",
            "[C.allow_fp16_bf16_reduction_math_sdp(True), C.fp16_bf16_reduction_math_sdp_allowed(), C.allow_fp16_bf16_reduction_math_sdp(False)]",
            "[can(C.SDPAParams(q, k, v, None, 0.0, False, False)) for can in (C.can_use_flash_attention, C.can_use_efficient_attention, C.can_use_cudnn_attention)]", "C.SDPAParams(q, k, v, mf, 0.5, True, True).dropout",
            "C.SDPAParams(q, k, v, mf, 0.5, True, True).attn_mask", "C.SDPAParams(q, k, v, mf, 0.5, True, True).enable_gqa", "list(B.__members__)", "[B.MATH, str(B.MATH), B.MATH.name, B.MATH.value, B(1), int(B.MATH), B.MATH == 0, B.MATH == B.MATH, hash(B.MATH)]",
            "B.MATH < B.FLASH_ATTENTION", "A.WARN_FOR_UNFUSED_KERNELS", "A.__all__", "A._cur_sdpa_kernel_backends()", "A.current_flash_attention_impl()", "I.causal_upper_left(3, 5)._materialize()", "I.causal_lower_right(3, 5)._materialize(None)",
            "repr(I.causal_upper_left(2, 3))", "I.CausalVariant.UPPER_LEFT", "[int(x) for x in I.CausalVariant]", "I.causal_upper_left(3)", "I.causal_lower_right(3)", "I.CausalBias(5, 3, 5)", "I.CausalBias(I.CausalVariant.LOWER_RIGHT, 5, 3).seq_len_kv", "type(I.causal_upper_left(3, 5) + 1).__name__")

CASES = {
    **{given: S + f"out = F.scaled_dot_product_attention({given})\nout.pow(3).mean().backward()\nout = [out, *[None if t.grad is None else t.grad.flatten()[:8] for t in (q, k, v, k2, v2, v6, q3, k3, v3, q2, k1, v1, mg)]]" for given in GIVEN},
    **{f"math {given}": S + f"out = torch._scaled_dot_product_attention_math({given})" for given in MATH},
    **{f"flash {given}": S + f"out = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu({given})" for given in FLASH},
    **{f"allowed {allowed}: {given}": S + SAID.format(allowed, "", given) for allowed in ALLOWED for given in ("q, k, v", "q3, k3, v3", "q, k, v, mg")},
    **{f"preferred {allowed}": S + SAID.format(allowed, ", set_priority=True", "q, k, v") for allowed in ALLOWED},
    **{f"flash alone {given}": S + SAID.format("B.FLASH_ATTENTION", "", given) for given in ALONE},
    **{switch: S + f"out = {switch}" for switch in SWITCHES},
    "as a decorator": S + "@A.sdpa_kernel(B.MATH)\ndef f(): return F.scaled_dot_product_attention(q, k, v)\nout = [f(), A._cur_sdpa_kernel_backends()]",
    "flash off": S + "C.enable_flash_sdp(False)\nout = F.scaled_dot_product_attention(q, k, v)\nC.enable_flash_sdp(True)",
    "the old switch": S + "with C.sdp_kernel(enable_flash=False): out = F.scaled_dot_product_attention(q, k, v)",
    "told why": S + "A.WARN_FOR_UNFUSED_KERNELS = True\nout = F.scaled_dot_product_attention(q, k, v, I.causal_lower_right(3, 5))\nA.WARN_FOR_UNFUSED_KERNELS = False",
    **{f"long {n}": f"q, k, v = [torch.randn(1, 2, {n}, 16, requires_grad=True) for _ in range(3)]\nout = F.scaled_dot_product_attention(q, k, v, is_causal=True)\nout.square().mean().backward()\nout = [out[0, 0, -1], *[t.grad[0, 0, :2] for t in (q, k, v)]]" for n in (16, 40, 200, 800)},
    **{f"halves {t} {given}": S + f"x = F.scaled_dot_product_attention(*[t.detach().to(torch.{t}) for t in (q, k, v)]{given})\ny = F.scaled_dot_product_attention(q, k, v{given})\nout = [str(x.dtype), bool((x.float() - y).abs().max() < 0.02)]" for t in ("float16", "bfloat16") for given in ("", ", is_causal=True", ", mb")},
}
