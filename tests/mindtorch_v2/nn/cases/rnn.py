"""Recurrent layers and cells, and sequences for them: text, numbers, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

# torch says once in a process that oneDNN has no projections
ONCE = "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    nn.LSTM(1, 2, proj_size=1)(torch.ones(1, 1, 1))\ntorch.manual_seed(0)\n"
S = ONCE + "x = torch.randn(3, 2, 4)\n"
P = "R = nn.utils.rnn\nx = torch.randn(3, 2, 4)\n"
LAYERS = ("RNN(4, 5)", "RNN(4, 5, 2, nonlinearity='relu')", "RNN(4, 5, 1, 'relu', False)", "GRU(4, 5)", "GRU(4, 5, 2, bidirectional=True, batch_first=True)", "GRU(4, 5, bias=False)",
          "LSTM(4, 5)", "LSTM(4, 5, 2, bidirectional=True, batch_first=True)", "LSTM(4, 5, bias=False)", "LSTM(4, 5, 2, proj_size=2, bidirectional=True)", "LSTM(4, 5, 2, dropout=0.3)",
          "LSTM(4, 5, dtype=torch.float64).float()", "GRU(4, 5, num_layers=2, dropout=0.5)", "LSTM(4, 5, 2, dropout=0.3).eval()")
CELLS = ("RNNCell(4, 5)", "RNNCell(4, 5, nonlinearity='relu')", "RNNCell(4, 5, False)", "GRUCell(4, 5)", "GRUCell(4, 5, bias=False)", "LSTMCell(4, 5)")
WRONG = ("nn.RNN(4, 5, nonlinearity='x')", "nn.GRU(4, 5, proj_size=2)", "nn.RNN(4, 5, proj_size=2)", "nn.LSTM(4, 5, dropout=0.5)", "nn.LSTM(4, 5, dropout=2)", "nn.LSTM(4, 5, dropout=True)", "nn.LSTM(4, 0)",
         "nn.LSTM(4, 5.0)", "nn.LSTM(4, 5, 0)", "nn.LSTM(4, 5, proj_size=5)", "nn.LSTM(4, 5, proj_size=-1)", "nn.LSTM(4)", "nn.LSTM(4, 5)(x[..., :3])", "nn.LSTM(4, 5)(x[0, 0])", "nn.LSTM(4, 5)(x[None])",
         "nn.LSTM(4, 5)(x, (x, x))", "nn.LSTM(4, 5)(x[0], (torch.zeros(1, 2, 5),) * 2)", "nn.LSTM(4, 5)(x, (torch.zeros(2, 5),) * 2)", "nn.LSTM(4, 5)(x, (torch.zeros(1, 2, 5), torch.zeros(1, 2, 4)))",
         "nn.LSTM(4, 5)(x.double())", "nn.GRU(4, 5)(x, torch.zeros(1, 2, 4))", "nn.GRU(4, 5)(x[0], torch.zeros(1, 2, 5))", "nn.GRU(4, 5)(x, torch.zeros(2, 5))", "nn.GRU(4, 5)(x[:0])", "nn.LSTM(4, 5)(x[:0])",
         "nn.RNNCell(4, 5, nonlinearity='x')(x[0])", "nn.LSTMCell(4, 5)(x)", "nn.LSTMCell(4, 5)(x[0], (x[0], x[0]))", "nn.LSTMCell(4, 5)(x[0], (x, x))", "nn.GRUCell(4, 5)(x)", "nn.GRUCell(4, 5)(x[0], x)",
         "nn.GRUCell(4, 5)(x[0][:, :3])", "nn.GRUCell(4, 5)(x[0], torch.zeros(3, 5))")
SEQUENCES = ("R.pack_padded_sequence(x, [3, 1])", "R.pack_padded_sequence(x, torch.tensor([1, 3]), enforce_sorted=False)", "R.pack_padded_sequence(x, [2, 2, 1], batch_first=True)",
             "R.pack_padded_sequence(x, [1, 2])", "R.pack_padded_sequence(x, [3, 0])", "R.pack_padded_sequence(x, [3])", "R.pack_padded_sequence(x[:0], [3, 1])", "R.pack_padded_sequence(x, torch.tensor([[3, 1]]))",
             "R.pack_padded_sequence(x, torch.tensor([3.0, 1.0]))", "R.pad_packed_sequence(R.pack_padded_sequence(x, [1, 3], enforce_sorted=False), True, 9.0, 5)",
             "R.pad_packed_sequence(R.pack_padded_sequence(x, [3, 1]), total_length=2)", "R.pad_sequence([x[0], x[1, :1]])", "R.pad_sequence(5)", "R.pad_sequence([])", "R.pad_sequence(torch.ones(2, 3))",
             "R.pack_sequence([x[0], x[1, :1]])", "R.pack_sequence([x[1, :1], x[0]], enforce_sorted=False)", "R.unpad_sequence(x, torch.tensor([3, 1]))", "R.unpack_sequence(R.pack_padded_sequence(x, [3, 1]))",
             "R.pack_padded_sequence(x, [3, 1]).to(torch.float64)", "R.pack_padded_sequence(x, [3, 1]).double().data.dtype", "R.pack_padded_sequence(x, [3, 1]).is_cuda", "R.invert_permutation(torch.tensor([2, 0, 1]))",
             "repr(R.pack_padded_sequence(torch.ones(2, 1, 1), [2]))")
TRAIN = "o, h = m(x)\n(o.sum() + sum(t.square().sum() for t in (h if isinstance(h, tuple) else (h,)))).backward()\nout = [p.grad for p in m.parameters()]"

CASES = {
    **{layer: S + f"m = nn.{layer}\nout = [repr(m), list(m.parameters()), list(m.state_dict()), m(x), m(x[0])]" for layer in LAYERS},
    **{f"{layer} gradients": S + f"m = nn.{layer}\n{TRAIN}" for layer in LAYERS},
    **{f"{layer} packed": P + f"m = nn.{layer}\nm.batch_first = False\no, h = m(R.pack_padded_sequence(x, [2, 3], enforce_sorted=False))\nout = [list(o), h]" for layer in LAYERS},
    **{cell: S + f"m = nn.{cell}\nh = m(x[0])\nout = [repr(m), list(m.state_dict()), h, m(x[1], h), m(x[0, 0])]" for cell in CELLS},
    **{program: S + f"out = {program}" for program in WRONG},
    **{program: P + f"out = {program}" for program in SEQUENCES},
    "given states": S + "m = nn.LSTM(4, 5, 2)\nout = m(x, (torch.ones(2, 2, 5), torch.ones(2, 2, 5) * 2))",
    "names": "m = nn.LSTM(4, 5, 1, bidirectional=True, proj_size=2)\nout = [m._flat_weights_names, m._all_weights, m.mode, m.flatten_parameters()]",
    "load": S + "a, b = nn.GRU(4, 5), nn.GRU(4, 5)\nb.load_state_dict(a.state_dict())\nout = (a(x)[0] == b(x)[0]).all()",
    "a weight replaced": S + "m = nn.GRU(4, 5)\nm.weight_hh_l0 = nn.Parameter(torch.zeros(15, 5))\nout = m(x)[0]",
    "double": S + "m = nn.LSTM(4, 5).double()\nout = m(x.double())",
    "deepcopy": S + "import copy\nm = nn.LSTM(4, 5)\nout = copy.deepcopy(m)(x)[0]",
    "second gradients": S + "m = nn.LSTM(4, 5)\nx.requires_grad_()\ng, = torch.autograd.grad(m(x)[0].square().sum(), x, create_graph=True)\ng.square().sum().backward()\nout = [x.grad, *[p.grad for p in m.parameters()]]",
    "a bias that is a number": "nn.LSTM(4, 5, bias=1)",
    "batch_first that is a number": "nn.GRU(4, 5, batch_first=1)",
    "an input size of zero": "nn.RNN(0, 5)",
    "an input size that is a float": "nn.LSTM(4.0, 5)",
}
