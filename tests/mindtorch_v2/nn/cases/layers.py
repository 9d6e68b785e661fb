"""Linear, Embedding, norms, dropout, activations, losses, Flatten: text, numbers, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = "x = torch.tensor([[-1.5, -0.2, 0.0], [0.3, 1.0, 7.0]])\n"
C = X + "t = torch.tensor([0, 2])\n"
Y = X + "y = torch.tensor([[0.1, 0.9, 0.4], [0.2, 0.3, 0.8]])\n"
ACTIVATIONS = ("ReLU()", "ReLU(inplace=True)", "ReLU6()", "ELU(0.5)", "SELU()", "CELU(0.5)", "LeakyReLU(0.2)", "GELU()", "GELU('tanh')",
               "SiLU()", "Mish()", "Hardtanh(-0.5, 0.5)", "Hardswish()", "Hardsigmoid()", "Hardshrink(0.2)", "Softshrink(0.2)",
               "Softplus(2.0)", "Softsign()", "Tanh()", "Tanhshrink()", "Sigmoid()", "LogSigmoid()", "Threshold(0.1, 20.0)",
               "Softmax(dim=1)", "LogSoftmax(dim=1)", "Softmin(dim=0)", "PReLU()", "PReLU(3)", "GLU(0)", "Identity()",
               "Identity(3, k=1)", "Flatten()", "Flatten(0, -1)", "Unflatten(1, (3, 1))", "LayerNorm(3)", "LayerNorm([2, 3])",
               "LayerNorm(3, elementwise_affine=False)", "LayerNorm(3, bias=False, eps=0.1)", "RMSNorm(3)", "RMSNorm(3, eps=0.1)",
               "RMSNorm(3, elementwise_affine=False)", "GroupNorm(1, 3)", "GroupNorm(1, 3, affine=False)", "Linear(3, 2)",
               "Linear(3, 2, bias=False)", "Linear(3, 2, dtype=torch.float64).float()", "Dropout(0.5)", "Dropout(0.5, True)",
               "Dropout(0.5).eval()", "Dropout1d()", "AlphaDropout(0.2)", "FeatureAlphaDropout()")
LOSSES = ("MSELoss()", "MSELoss(reduction='sum')", "L1Loss()", "SmoothL1Loss()", "SmoothL1Loss(beta=0.5)", "HuberLoss()",
          "HuberLoss('sum', 0.5)", "BCEWithLogitsLoss()", "BCEWithLogitsLoss(weight=torch.ones(3), pos_weight=torch.ones(3))",
          "KLDivLoss(reduction='batchmean')", "KLDivLoss(reduction='sum', log_target=True)", "SoftMarginLoss()",
          "HingeEmbeddingLoss()", "PoissonNLLLoss()", "MultiLabelSoftMarginLoss()")
CLASS_LOSSES = ("CrossEntropyLoss()", "CrossEntropyLoss(label_smoothing=0.1)", "CrossEntropyLoss(torch.tensor([1.0, 2.0, 3.0]))",
                "CrossEntropyLoss(ignore_index=2, reduction='none')", "NLLLoss()", "NLLLoss(reduction='sum')")

CASES = {
    **{n: X + f"m = nn.{n}\nout = [repr(m), m(x), list(m.state_dict())]" for n in ACTIVATIONS},
    **{n: Y + f"m = nn.{n}\nout = [repr(m), m(x, y), list(m.state_dict())]" for n in LOSSES},
    **{n: C + f"m = nn.{n}\nout = [repr(m), m(x, t), list(m.state_dict())]" for n in CLASS_LOSSES},
    "BCELoss": Y + "m = nn.BCELoss(weight=torch.ones(3))\nout = [repr(m), m(y, y), list(m.state_dict())]",
    "MarginRankingLoss": Y + "out = nn.MarginRankingLoss(0.5)(x, y, torch.ones(2, 3))",
    "CosineEmbeddingLoss": Y + "out = nn.CosineEmbeddingLoss(0.5)(x, y, torch.ones(2))",
    "TripletMarginLoss": Y + "out = nn.TripletMarginLoss(2.0, swap=True)(x, y, x + 1)",
    "TripletMarginLoss margin": "nn.TripletMarginLoss(0.0)",
    "TripletMarginWithDistanceLoss": Y + "out = nn.TripletMarginWithDistanceLoss(margin=2.0)(x, y, x + 1)",
    "TripletMarginWithDistanceLoss margin": "nn.TripletMarginWithDistanceLoss(margin=0.0)",
    "GaussianNLLLoss": Y + "out = nn.GaussianNLLLoss(full=True)(x, y, y)",
    "old loss flags": "nn.MSELoss(size_average=False).reduction",
    "Linear fields": "m = nn.Linear(3, 2)\nout = [m.in_features, m.out_features, m.weight, m.bias]",
    "Linear 20 32": "m = nn.Linear(20, 32)\nout = [m.weight, m.bias]",
    "Linear two": "a, b = nn.Linear(5, 7), nn.Linear(7, 2, bias=False)\nout = [a.weight, a.bias, b.weight]",
    "Linear double": "nn.Linear(2, 2, dtype=torch.float64).weight",
    "Linear empty": "out = nn.Linear(0, 2).weight",
    "Linear wrong shape": "nn.Linear(3, 2)(torch.ones(2, 4))",
    "Linear gradient": "m = nn.Linear(3, 2)\nm(torch.ones(2, 3)).sum().backward()\nout = [m.weight.grad, m.bias.grad]",
    "Linear reset": "m = nn.Linear(3, 2); m.reset_parameters()\nout = m.weight",
    "Bilinear": X + "m = nn.Bilinear(3, 3, 2)\nout = [repr(m), m(x, x), list(m.state_dict())]",
    "Bilinear no bias": "repr(nn.Bilinear(3, 3, 2, bias=False))",
    "Bilinear zero": "nn.Bilinear(0, 3, 2)",
    "Embedding": "m = nn.Embedding(5, 3)\nout = [repr(m), m.weight, m(torch.tensor([0, 4]))]",
    "Embedding padding": "m = nn.Embedding(5, 3, padding_idx=-1)\nout = [repr(m), m.weight, m.padding_idx]",
    "Embedding repr": "repr(nn.Embedding(5, 3, 1, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True, sparse=True))",
    "Embedding padding high": "nn.Embedding(5, 3, padding_idx=5)",
    "Embedding padding low": "nn.Embedding(5, 3, padding_idx=-6)",
    "Embedding given": "m = nn.Embedding(2, 3, _weight=torch.ones(2, 3))\nout = m.weight",
    "Embedding given wrong": "nn.Embedding(2, 3, _weight=torch.ones(3, 3))",
    "Embedding from_pretrained": "m = nn.Embedding.from_pretrained(torch.ones(2, 3))\nout = [repr(m), m.weight]",
    "Embedding from_pretrained thawed": "nn.Embedding.from_pretrained(torch.ones(2, 3), freeze=False, padding_idx=0).weight",
    "Embedding from_pretrained wrong": "nn.Embedding.from_pretrained(torch.ones(2))",
    "Embedding gradient": "m = nn.Embedding(4, 2, padding_idx=1)\nm(torch.tensor([0, 1, 0])).sum().backward()\nout = m.weight.grad",
    "Embedding max_norm": "m = nn.Embedding(4, 2, max_norm=0.5)\nout = [m(torch.tensor([0, 1])), m.weight]",
    "Dropout p": "nn.Dropout(1.5)",
    "Dropout reprs": "[repr(nn.Dropout1d(0.1)), repr(nn.Dropout2d(0.1, True)), repr(nn.Dropout3d())]",
    "Dropout2d": "nn.Dropout2d(0.5)(torch.ones(1, 4, 1, 2))",
    "GroupNorm divides": "nn.GroupNorm(2, 3)",
    "LayerNorm gradient": X + "m = nn.LayerNorm(3); (m(x) * x).sum().backward()\nout = [m.weight.grad, m.bias.grad]",
    "Hardtanh order": "nn.Hardtanh(1.0, -1.0)",
    "Hardtanh old": "repr(nn.Hardtanh(min_value=-2.0, max_value=2.0))",
    "Softmax implicit": X + "out = nn.Softmax()(x)",
    "Softmax2d": "nn.Softmax2d()(torch.ones(2, 2, 1, 1))",
    "Softmax2d dims": "nn.Softmax2d()(torch.ones(2, 2))",
    "Softmax repr": "[repr(nn.Softmax()), repr(nn.LogSoftmax(1)), repr(nn.Softmin()), repr(nn.Softmax2d())]",
    "Unflatten named": "repr(nn.Unflatten(1, torch.Size([2, 3])))",
    "Unflatten wrong": "nn.Unflatten(1, 3.0)",
    "Unflatten wrong element": "nn.Unflatten(1, (2, 'a'))",
    "Unflatten string": "nn.Unflatten('a', (2, 3))",
    "Flatten repr": "[repr(nn.Flatten()), repr(nn.Unflatten(1, (2, 3)))]",
    "CosineSimilarity": Y + "m = nn.CosineSimilarity(dim=0)\nout = [repr(m), m(x, y)]",
    "PairwiseDistance": Y + "m = nn.PairwiseDistance(keepdim=True)\nout = [repr(m), m(x, y)]",
    "training program": """
m = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Dropout(0.5), nn.Linear(8, 3))
x, t = torch.randn(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])
loss = nn.CrossEntropyLoss()(m(x), t)
loss.backward()
out = [loss, *[p.grad for p in m.parameters()]]
""",
}
