"""torch.nn.utils: pruning, fusion, calls without state, skip_init, memory formats; nn.parallel; torch.func."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

PRUNE = "import importlib\nP = importlib.import_module(torch.__name__ + '.nn.utils.prune')\nm = nn.Linear(4, 3)\n"
SHOW = "out = [repr(m), m.weight, m.state_dict(), [n for n, _ in m.named_parameters()], [n for n, _ in m.named_buffers()], P.is_pruned(m), m(torch.ones(1, 4)), [type(h).__name__ for h in m._forward_pre_hooks.values()]]"
FUSE = "U = nn.utils\nc, b, x = nn.{layer}, nn.{norm}, torch.randn({shape})\nb.train()(c(x)); b.eval(); c.eval()\n"
CALL = ("class Net(nn.Module):\n    def __init__(self):\n        super().__init__(); self.a = nn.Linear(2, 2); self.b = nn.Linear(2, 2); self.register_buffer('c', torch.ones(2)); self.d = 3\n"
        "    def forward(self, x, k=1.0):\n        return self.b(self.a(x)) * self.c * k\n"
        "import importlib\nf = importlib.import_module(torch.__name__ + '.func'); S = importlib.import_module(torch.__name__ + '.nn.utils.stateless')\nm = Net(); x = torch.ones(1, 2)\n")
TIED = CALL + "m.b.weight = m.a.weight\n"
W = "torch.zeros(2, 2)"

CASES = {
    **{f"prune.{call}": PRUNE + f"r = P.{call}\n" + SHOW for call in (
        "identity(m, 'weight')", "random_unstructured(m, 'weight', 0.5)", "random_unstructured(m, 'weight', 3)", "random_unstructured(m, 'weight', 0)", "l1_unstructured(m, 'weight', 0.3)",
        "l1_unstructured(m, 'weight', 12)", "l1_unstructured(m, 'weight', 1.0)", "l1_unstructured(m, 'weight', 5, importance_scores=torch.arange(12.0).view(3, 4))", "l1_unstructured(m, 'bias', 1)",
        "random_structured(m, 'weight', 1, 0)", "random_structured(m, 'weight', 0.5, 1)", "random_structured(m, 'weight', 0, 1)", "ln_structured(m, 'weight', 1, 2, 0)", "ln_structured(m, 'weight', 0.5, 1, -1)",
        "ln_structured(m, 'weight', 2, float('inf'), 1)", "ln_structured(m, 'weight', 0, 2, 1)", "ln_structured(m, 'weight', 1, 2, 0, importance_scores=torch.arange(12.0).view(3, 4))",
        "custom_from_mask(m, 'weight', torch.eye(3, 4))", "custom_from_mask(m, 'bias', torch.tensor([1, 0, 1]))", "global_unstructured([(m, 'weight'), (m, 'bias')], P.L1Unstructured, amount=0.4)",
        "global_unstructured([(m, 'weight'), (m, 'bias')], P.RandomUnstructured, amount=5)", "global_unstructured([(m, 'weight')], P.L1Unstructured, importance_scores={(m, 'weight'): torch.arange(12.0).view(3, 4)}, amount=5)",
        "l1_unstructured(m, 'weight', 20)", "l1_unstructured(m, 'weight', 1.5)", "l1_unstructured(m, 'weight', -1)", "l1_unstructured(m, 'weight', -0.5)", "l1_unstructured(m, 'weight', 'a')", "l1_unstructured(m, 'other', 1)",
        "l1_unstructured(m, 'weight', 1, importance_scores=torch.ones(2))", "random_structured(m, 'bias', 1, 0)", "random_structured(m, 'weight', 1, 2)", "ln_structured(m, 'weight', 1, 2, 5)", "ln_structured(m, 'weight', 7, 2, 0)",
        "custom_from_mask(m, 'weight', torch.ones(2))", "global_unstructured(3, P.L1Unstructured, amount=1)", "global_unstructured([(m, 'weight')], P.L1Unstructured, importance_scores=[1], amount=1)",
        "global_unstructured([(m, 'weight')], P.LnStructured, amount=1, n=2)", "remove(m, 'weight')", "is_pruned(m)")},
    **{f"pruned twice: {first}, {second}": PRUNE + f"P.{first}; P.{second}\n" + SHOW + " + [[type(h).__name__ for h in list(m._forward_pre_hooks.values())[0]]]" for first in ("l1_unstructured(m, 'weight', 3)", "ln_structured(m, 'weight', 1, 2, 0)")
       for second in ("l1_unstructured(m, 'weight', 0.5)", "ln_structured(m, 'weight', 1, 2, 0)", "random_structured(m, 'weight', 1, 1)", "custom_from_mask(m, 'weight', torch.eye(3, 4))", "identity(m, 'weight')", "random_unstructured(m, 'weight', 2)")},
    "pruned three times": PRUNE + "for _ in range(3): P.l1_unstructured(m, 'weight', 2)\nh, = m._forward_pre_hooks.values()\nout = [m.weight, len(h), [type(i).__name__ for i in h], h[0].amount, h._tensor_name]",
    "pruned too much": PRUNE + "P.l1_unstructured(m, 'weight', 8); P.l1_unstructured(m, 'weight', 8)",
    "prune.remove": PRUNE + "w = m.weight\nP.l1_unstructured(m, 'weight', 5); P.remove(m, 'weight')\nout = [m.weight, m.weight is w, m.state_dict(), P.is_pruned(m), len(m._forward_pre_hooks)]",
    "prune trained": PRUNE + "P.l1_unstructured(m, 'weight', 5)\nm(torch.ones(2, 4)).pow(2).sum().backward()\no = torch.optim.SGD(m.parameters(), 0.1); o.step()\nout = [m.weight_orig.grad, m.weight_orig, m(torch.ones(1, 4)), m.weight]",
    "prune in a tree": PRUNE + "s = nn.Sequential(nn.Linear(2, 2), nn.Sequential(m))\na = P.is_pruned(s)\nP.identity(m, 'bias')\nout = [a, P.is_pruned(s), list(s.state_dict())]",
    "prune copied": PRUNE + "import copy\nP.l1_unstructured(m, 'weight', 5); m.weight = m.weight.detach()\nc = copy.deepcopy(m)\nout = [c.state_dict(), c(torch.ones(1, 4))]",
    "prune loaded": PRUNE + "n = nn.Linear(4, 3)\nP.l1_unstructured(m, 'weight', 5); P.identity(n, 'weight')\nn.load_state_dict(m.state_dict())\nout = [n(torch.ones(1, 4)), m(torch.ones(1, 4))]",
    "PruningContainer": PRUNE + "a, b = P.L1Unstructured(1), P.RandomUnstructured(0.5)\na._tensor_name = b._tensor_name = 'weight'\nc = P.PruningContainer(a)\nc.add_pruning_method(b)\nout = [len(c), c[0] is a, [type(i).__name__ for i in c], c._tensor_name]",
    "PruningContainer of something": PRUNE + "c = P.PruningContainer(); c._tensor_name = 'weight'\nc.add_pruning_method(3)",
    "PruningContainer of another name": PRUNE + "a, b = P.L1Unstructured(1), P.Identity()\na._tensor_name = 'weight'; b._tensor_name = 'bias'\nclass C(P.PruningContainer):\n    def __repr__(self): return 'C'\nc = C(a); c.add_pruning_method(b)",
    "BasePruningMethod": PRUNE + "P.BasePruningMethod()",
    "prune a tensor": PRUNE + "a = P.L1Unstructured(2); t = torch.tensor([3.0, -1.0, 2.0, 0.5])\nout = [a.prune(t), a.prune(t, default_mask=torch.tensor([1.0, 1, 0, 1])), a.prune(t, importance_scores=torch.arange(4.0)), P.RandomUnstructured(0.5).prune(t)]",
    "prune a tensor wrong": PRUNE + "P.L1Unstructured(2).prune(torch.ones(3), importance_scores=torch.ones(2))",
    "prune unknown type": PRUNE + "class M(P.L1Unstructured): PRUNING_TYPE = 'odd'\nP.identity(m, 'weight'); M.apply(m, 'weight', 1)",
    "prune structured without dim": PRUNE + "class M(P.L1Unstructured): PRUNING_TYPE = 'structured'\nP.identity(m, 'weight'); M.apply(m, 'weight', 1)",

    **{f"fuse_conv_bn_eval {layer} {norm}": FUSE.format(layer=layer, norm=norm, shape=shape) + f"f = U.fuse_conv_bn_eval(c, b{transpose})\nout = [repr(f), f.weight, f.bias, f(x), b(c(x)), f is c]"
       for layer, norm, shape, transpose in (("Conv2d(2, 3, 2)", "BatchNorm2d(3)", "2, 2, 4, 4", ""), ("Conv2d(2, 3, 2, bias=False)", "BatchNorm2d(3, affine=False)", "2, 2, 4, 4", ""), ("Conv1d(2, 3, 2)", "BatchNorm1d(3)", "2, 2, 4", ""),
                                             ("Conv3d(2, 3, 1)", "BatchNorm3d(3)", "2, 2, 2, 2, 2", ""), ("ConvTranspose2d(2, 3, 2)", "BatchNorm2d(3)", "2, 2, 3, 3", ", transpose=True"), ("Conv2d(2, 3, 2)", "BatchNorm2d(3, bias=False)", "2, 2, 4, 4", ""))},
    "fuse_conv_bn_eval in training": "nn.utils.fuse_conv_bn_eval(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1))",
    "fuse_conv_bn_eval without statistics": "nn.utils.fuse_conv_bn_eval(nn.Conv2d(1, 1, 1).eval(), nn.BatchNorm2d(1, track_running_stats=False).eval())",
    "fuse_conv_bn_weights": "w, b = nn.utils.fuse_conv_bn_weights(torch.ones(2, 1, 1, dtype=torch.float16), None, torch.zeros(2), torch.ones(2), 1e-5, None, None)\nout = [w, b]",
    "fuse_linear_bn_eval": FUSE.format(layer="Linear(2, 3)", norm="BatchNorm1d(3)", shape="4, 2") + "f = U.fuse_linear_bn_eval(c, b)\nout = [f.weight, f.bias, f(x), b(c(x))]",
    "fuse_linear_bn_eval one feature": "c, b = nn.Linear(2, 3).eval(), nn.BatchNorm1d(1).eval()\nf = nn.utils.fuse_linear_bn_eval(c, b)\nout = [f.weight, f.bias]",
    "fuse_linear_bn_eval without bias": "c, b = nn.Linear(2, 3, bias=False).eval(), nn.BatchNorm1d(3).eval()\nf = nn.utils.fuse_linear_bn_eval(c, b)\nout = [f.weight, f.bias]",
    "fuse_linear_bn_eval in training": "nn.utils.fuse_linear_bn_eval(nn.Linear(1, 1), nn.BatchNorm1d(1).eval())",
    "fuse_linear_bn_eval features": "nn.utils.fuse_linear_bn_eval(nn.Linear(1, 3).eval(), nn.BatchNorm1d(2).eval())",
    "fuse_linear_bn_eval without statistics": "nn.utils.fuse_linear_bn_eval(nn.Linear(1, 1).eval(), nn.BatchNorm1d(1, track_running_stats=False).eval())",

    "functional_call": CALL + f"g = {{'a.weight': {W}, 'c': torch.tensor([2.0, 3.0])}}\ny = f.functional_call(m, g, x)\nout = [y, m(x), m.c, list(g)]",
    "functional_call gradients": CALL + "g = {n: p.detach().clone().requires_grad_() for n, p in m.named_parameters()}\nf.functional_call(m, g, (x,), {'k': 2.0}).sum().backward()\nout = [[n, t.grad] for n, t in g.items()] + [p.grad for p in m.parameters()]",
    "functional_call dicts": CALL + f"out = f.functional_call(m, ({{'a.weight': {W}}}, {{'c': torch.zeros(2)}}), x)",
    "functional_call dicts twice": CALL + f"f.functional_call(m, ({{'c': {W}}}, {{'c': torch.zeros(2)}}), x)",
    "functional_call dicts of what": CALL + "f.functional_call(m, ({}, 3), x)",
    "functional_call what": CALL + "f.functional_call(m, 3, x)",
    "functional_call new name": CALL + f"y = f.functional_call(m, {{'e': {W}}}, x)\nout = [hasattr(m, 'e'), y]",
    "functional_call new name, strict": CALL + f"f.functional_call(m, {{'e': {W}, 'a.bias': torch.zeros(2)}}, x, strict=True)",
    "functional_call whole, strict": CALL + "out = f.functional_call(m, {**dict(m.named_parameters()), **dict(m.named_buffers())}, x, strict=True)",
    "functional_call of a number": CALL + "f.functional_call(m, {'a.weight': 3}, x)",
    "functional_call of None": CALL + "y = f.functional_call(m, {'a.bias': None}, x)\nout = [y, m.a.bias]",
    "functional_call in the place of a number": CALL + f"f.functional_call(m, {{'d': {W}}}, x)",
    "functional_call no such module": CALL + f"f.functional_call(m, {{'z.weight': {W}}}, x)",
    "functional_call no module": CALL + f"f.functional_call(m, {{'d.weight': {W}}}, x)",
    "functional_call no name": CALL + f"f.functional_call(m, {{'a.': {W}}}, x)",
    "functional_call fails": CALL + f"w = m.a.weight\ntry: f.functional_call(m, {{'a.weight': {W}}}, 'x')\nexcept Exception as e: out = [type(e).__name__, m.a.weight is w]",
    "functional_call tied": TIED + f"out = [f.functional_call(m, {{'a.weight': {W}}}, x), f.functional_call(m, {{'a.weight': {W}}}, x, tie_weights=False)]",
    "functional_call tied twice": TIED + f"f.functional_call(m, {{'a.weight': {W}, 'b.weight': torch.ones(2, 2)}}, x)",
    "functional_call tied same": TIED + f"w = {W}\nout = f.functional_call(m, {{'a.weight': w, 'b.weight': w}}, x)",
    "functional_call no arguments": "class N(nn.Module):\n    def __init__(self):\n        super().__init__(); self.w = nn.Parameter(torch.ones(1))\n    def forward(self): return self.w * 2\nimport importlib\nf = importlib.import_module(torch.__name__ + '.func')\nout = f.functional_call(N(), {'w': torch.tensor([3.0])})",
    "functional_call keeps changes of buffers": "import importlib\nf = importlib.import_module(torch.__name__ + '.func')\nb = nn.BatchNorm1d(2)\ng = {n: t.clone() for n, t in b.named_buffers()}\nf.functional_call(b, g, torch.randn(4, 2))\nout = [g, b.state_dict()]",
    "functional_call of DataParallel": CALL + "f.functional_call(nn.DataParallel(m), {}, x)",
    "stateless.functional_call": CALL + f"out = S.functional_call(m, {{'a.weight': {W}}}, x)",
    "stack_module_state": CALL + "p, b = f.stack_module_state([Net(), Net()])\nout = [[n, t] for n, t in p.items()] + [[n, t] for n, t in b.items()]",
    "stack_module_state of none": CALL + "f.stack_module_state([])",
    "stack_module_state of two kinds": CALL + "f.stack_module_state([m, nn.Linear(1, 1)])",
    "stack_module_state of two modes": CALL + "f.stack_module_state([m, Net().eval()])",
    "stack_module_state frozen": CALL + "n = Net(); n.a.weight.requires_grad_(False)\nf.stack_module_state([m, n])",

    "skip_init": "m = nn.utils.skip_init(nn.Linear, 3, 4, bias=False)\nout = [repr(m), m.weight.shape, str(m.weight.device), m.weight.requires_grad]",
    "skip_init dtype": "m = nn.utils.skip_init(nn.Conv2d, 3, 4, 2, dtype=torch.float64, device='meta')\nout = [repr(m), str(m.weight.dtype), str(m.weight.device)]",
    "skip_init of something": "nn.utils.skip_init(int)",
    "skip_init without device": "nn.utils.skip_init(nn.ReLU)",
    "convert_conv2d_weight_memory_format": "m = nn.Sequential(nn.Conv2d(2, 3, 2), nn.ConvTranspose2d(3, 2, 3), nn.Conv3d(1, 2, 2), nn.Linear(2, 2))\nr = nn.utils.convert_conv2d_weight_memory_format(m, torch.channels_last)\nout = [r is m, [p.stride() for p in m.parameters()], m[0].weight]",
    "convert_conv3d_weight_memory_format": "m = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Conv3d(2, 2, 2), nn.ConvTranspose3d(2, 2, 2))\nr = nn.utils.convert_conv3d_weight_memory_format(m, torch.channels_last_3d)\nout = [r is m, [p.stride() for p in m.parameters()]]",
    "convert_conv2d_weight_memory_format 3d": "nn.utils.convert_conv2d_weight_memory_format(nn.Conv2d(2, 3, 2), torch.channels_last_3d)",

    "DataParallel": "m = nn.Linear(2, 3); d = nn.DataParallel(m, [0, 1])\nout = [repr(d), d(torch.ones(4, 2)), list(d.state_dict()), d.device_ids, d.module is m, hasattr(d, 'dim')]",
    "DataParallel kwargs": "class N(nn.Module):\n    def forward(self, x, k): return x * k\nout = nn.DataParallel(N())(torch.ones(2), k=3)",
    **{f"parallel.{call}": f"import collections\nP = nn.parallel; m = nn.Linear(2, 3); x = torch.ones(4, 2); T = collections.namedtuple('T', 'a b')\nr = P.{call}\nout = repr(r)" for call in (
        "DataParallel(m).scatter((x,), {}, [0])", "DataParallel(m).replicate(m, [0])", "data_parallel(m, x)", "data_parallel(m, x, [0])", "parallel_apply([m], [x])", "parallel_apply([m, m], [x])",
        "parallel_apply([m], [x], [{}, {}])", "parallel_apply([m], [x], devices=[0, 1])", "parallel_apply([m], [x], devices=[0])", "parallel_apply([m], [x], devices=['cpu'])", "parallel_apply([], [])",
        "replicate(m, [0])", "replicate(m, ['cpu'])", "replicate(m, [0], True)", "replicate(m, [])", "replicate(nn.Sequential(nn.ReLU(), nn.Sequential(nn.Tanh())), [0, 1])", "scatter(x, [0])", "scatter(x, ['cpu'])",
        "scatter(x, [torch.device('cpu')])", "scatter([1, 'a'], [0, 1])", "scatter({'a': 1, 'b': (2, 3)}, [0, 1])", "scatter(5, [0, 1])", "scatter(T(1, 2), [0, 1])", "scatter([], [0, 1])", "scatter([x, 1], [0])",
        "gather([x, x], 'cpu')", "gather([{'a': None}, {'a': None}], 'cpu')", "gather([{'a': x}, {}], 'cpu')", "gather([None, None], 'cpu')", "gather([[None], [None]], 'cpu')", "gather([T(None, None)] * 2, 0)", "gather([1, 2], 'cpu')",
        "scatter_gather.scatter_kwargs((1, 2), {'a': 3}, [0, 1])", "scatter_gather.scatter_kwargs((), {'a': 3}, [0, 1])", "scatter_gather.scatter_kwargs((1,), None, [0, 1])", "scatter_gather.is_namedtuple((1,))",
        "DistributedDataParallel(m)", "DistributedDataParallelCPU(m)", "DistributedDataParallel(nn.ReLU())", "comm.broadcast(x, [0])", "comm.scatter(x, [0])", "comm.gather([x])", "comm.reduce_add([x, x])")},
    "factory_kwargs": "out = [repr(sorted(nn.factory_kwargs(k).items())) for k in ({'device': 'cpu', 'dtype': torch.float64}, None, {'factory_kwargs': {'device': 'cpu'}, 'dtype': torch.float}, {})]",
    "factory_kwargs twice": "nn.factory_kwargs({'device': 'cpu', 'factory_kwargs': {'device': 'cpu'}})",
    "factory_kwargs unknown": "nn.factory_kwargs({'foo': 1})",
    "Container": "m = nn.Container(a=nn.Linear(1, 2), b=None)\nout = [repr(m), list(m.state_dict())]",
    "clip_grad meta": "p = nn.Parameter(torch.ones(2, device='meta')); p.grad = torch.ones(2, device='meta')\nr = nn.utils.clip_grad_norm_([p], 1.0)\nout = [str(r.device), r.shape]",
    "NLLLoss2d": "m = nn.NLLLoss2d()\nout = [repr(m), m(torch.log_softmax(torch.ones(1, 2, 3, 3), 1), torch.zeros(1, 3, 3, dtype=torch.int64))]",
    "NonDynamicallyQuantizableLinear": "import importlib\nL = importlib.import_module(torch.__name__ + '.nn.modules.linear').NonDynamicallyQuantizableLinear\nout = [repr(L(2, 3)), L(2, 3, bias=False).weight]",
    "consume_prefix_in_state_dict_if_present": "import importlib\nU = importlib.import_module(torch.__name__ + '.nn.modules.utils')\nd = nn.DataParallel(nn.Sequential(nn.Linear(1, 1))).state_dict(); d['other'] = 1\nU.consume_prefix_in_state_dict_if_present(d, 'module.')\nout = [list(d), list(d._metadata)]",
    "tuples of sizes": "import importlib\nU = importlib.import_module(torch.__name__ + '.nn.modules.utils')\nout = [U._pair(3), U._triple([1, 2]), U._single('a'), U._quadruple(0), U._reverse_repeat_tuple((1, 2), 2), U._list_with_default([None, 3], [5, 6, 7]), U._list_with_default(4, [1])]",
    "tuples of too many sizes": "import importlib\nU = importlib.import_module(torch.__name__ + '.nn.modules.utils')\nU._list_with_default([None, 3], [5, 6])",
    "apply_permutation": "import importlib\nR = importlib.import_module(torch.__name__ + '.nn.modules.rnn')\nout = R.apply_permutation(torch.arange(6.0).view(2, 3), torch.tensor([2, 0, 1]))",
    "bind": "out = [nn.utils.rnn.bind(None, len), nn.utils.rnn.bind([1], len)]",
    "assert_int_or_pair": "out = [F.assert_int_or_pair(3, 'k', '{}'), F.assert_int_or_pair([1, 2], 'k', '{}')]",
    "assert_int_or_pair wrong": "F.assert_int_or_pair([1, 2, 3], 'k', 'bad {}')",
}
