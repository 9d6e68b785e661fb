"""Transformers and their layers: text, numbers, gradients, checks, and what they do where nothing is trained."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

# torch says once in a process that nested tensors are a prototype
ONCE = "import warnings\nwarnings.filterwarnings('ignore', 'The PyTorch API of nested')\n"
S = ONCE + ("x, y = torch.randn(2, 3, 8), torch.randn(2, 4, 8)\nam, ab = torch.randn(3, 3), torch.ones(3, 3).triu(1).bool()\nkp, gap, kf = torch.tensor([[0, 0, 0], [0, 0, 1]]).bool(), torch.tensor([[0, 0, 0], [1, 0, 0]]).bool(), torch.tensor([[0.0, 0, 0], [0, 0, -1]])\n"
            "ty, mm, ky = torch.ones(4, 4).triu(1).bool(), torch.rand(4, 3) > 0.8, torch.tensor([[0, 0, 0, 0], [0, 0, 1, 1]]).bool()\nshort = torch.tensor([[0, 0, 1], [0, 1, 1]]).bool()\n")
KINDS = ("8, 2, 16", "8, 2, 16, activation='gelu'", "8, 2, 16, activation=nn.GELU()", "8, 2, 16, activation=F.silu", "8, 2, 16, norm_first=True", "8, 1, 16", "8, 2, 16, bias=False", "8, 2, 16, layer_norm_eps=1e-3")
MASKS = ("x", "x, ab", "x, am", "x, None, kp", "x, ab, kp", "x, None, gap", "x, ab, is_causal=True", "x[0]", "x, None, kf")
ENCODERS = ("", "norm=nn.LayerNorm(8)", "enable_nested_tensor=False", "mask_check=False")
DECODED = ("y, x", "y, x, ty, mm", "y, x, None, None, ky, kp", "y, x, ty, tgt_is_causal=True", "y[0], x[0]")
WHOLE = ("8, 2, 1, 1, 16", "8, 2, 2, 2, 16, batch_first=True", "8, 2, 1, 1, 16, norm_first=True, bias=False, batch_first=True", "8, 2, 1, 1, 16, 0.0, 'gelu', batch_first=True")
TRAIN = "\nout = m({})\nout.pow(3).mean().backward()\nout = [out, *[p.grad.flatten()[:4] for p in m.parameters()]]"
NOT = ".eval()\nwith torch.no_grad(): out = m({})"
SAID = ("nn.TransformerEncoderLayer(8, 2, activation='x')", "nn.TransformerEncoder(nn.Linear(2, 2), 2)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 1)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, norm_first=True, batch_first=True), 1)",
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 1, 16, batch_first=True), 1)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, bias=False, batch_first=True), 1)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, activation=F.silu, batch_first=True), 1)",
        "nn.Transformer(8, 2, 1, 1, 16)(x, x[:, :1])", "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(x, x[:1])", "nn.Transformer(8, 2, 1, 1, 16)(x[..., :4], x)", "nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()(x, src_key_padding_mask=kp.long())",
        "nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(x, am, kp)", "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1)(x, am, kp)", "nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(x[..., :4])")

CASES = {
    **{f"layer {kind}: {given}": S + f"m = nn.TransformerEncoderLayer({kind}, batch_first=True)" + TRAIN.format(given) for kind in KINDS for given in MASKS},
    **{f"layer {kind}, not trained: {given}": S + f"m = nn.TransformerEncoderLayer({kind}, batch_first=True)" + NOT.format(given) for kind in KINDS for given in MASKS},
    **{f"encoder {kind}: {given}": S + f"m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, {kind})" + TRAIN.format(given) for kind in ENCODERS for given in MASKS},
    **{f"encoder {kind}, not trained: {given}": S + f"m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, {kind})" + NOT.format(given) for kind in ENCODERS for given in (*MASKS, "x, None, short", "x, None, torch.ones(2, 3).bool()")},
    **{f"decoder layer {kind}: {given}": S + f"m = nn.TransformerDecoderLayer({kind}, batch_first=True)" + TRAIN.format(given) for kind in KINDS[:5] for given in DECODED},
    **{f"decoder: {given}": S + "m = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), 2, nn.LayerNorm(8))" + TRAIN.format(given) for given in DECODED},
    **{f"decoder, not trained: {given}": S + "m = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), 2)" + NOT.format(given) for given in DECODED},
    **{f"transformer {kind}": S + f"m = nn.Transformer({kind})\nout = [repr(m), *[[name, list(p.shape), p.flatten()[:3]] for name, p in m.state_dict().items()]]" for kind in WHOLE},
    **{f"transformer {kind}: {given}": S + ("" if "batch_first" in kind else "x, y = x.transpose(0, 1), y.transpose(0, 1)\n") + f"m = nn.Transformer({kind})" + TRAIN.format(given) for kind in WHOLE
       for given in ("x, y", "x, y, tgt_mask=nn.Transformer.generate_square_subsequent_mask(4)", "x, y, src_key_padding_mask=kp, memory_key_padding_mask=kp, tgt_key_padding_mask=ky")},
    **{f"transformer, not trained: {given}": S + "m = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)" + NOT.format(given) for given in ("x, y", "x, y, src_key_padding_mask=kp")},
    **{said: S + f"out = repr({said})" for said in SAID},
    **{f"mask {given}": f"out = nn.Transformer.generate_square_subsequent_mask({given})" for given in ("3", "0", "3, dtype=torch.float64")},
    "own encoder": S + "m = nn.Transformer(8, 2, 1, 1, 16, custom_encoder=nn.Identity(), batch_first=True)\nout = repr(m.encoder)",
    "a hook keeps a layer from its fused op": S + "m = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()\nm.linear1.register_forward_hook(lambda *a: None)\nwith torch.no_grad(): out = m(x)",
    "different norms": S + "l = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)\nl.norm1.eps = 0.1\nm = nn.TransformerEncoder(l, 1).eval()\nwith torch.no_grad(): out = m(x)",
    "double": S + "m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).double().eval()\nwith torch.no_grad(): out = m(x.double(), src_key_padding_mask=kp)",
    "meta": S + "m = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, device='meta')\nout = [list(m(x.to('meta')).shape), list(m.eval()(x.to('meta')).shape)]",
    "nothing": S + "m = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()\nwith torch.no_grad(): out = [m(x[:0]), m(x[:, :0])]",
    "pickled": S + "import pickle\nm = nn.Transformer(8, 2, 1, 1, 16, 0.0, 'gelu', batch_first=True)\nout = (pickle.loads(pickle.dumps(m))(x, y) == m(x, y)).all()",
    "parts of the encoder": "m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)\nout = [m.num_layers, m.enable_nested_tensor, m.use_nested_tensor, m.mask_check, repr(m), list(m.state_dict())]",
}
