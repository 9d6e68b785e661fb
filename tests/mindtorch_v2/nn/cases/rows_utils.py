"""The rows of torch.nn.utils, nn.parallel and torch.func: a setup, and the call that is watched."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

S = ("import importlib\nP = importlib.import_module(torch.__name__ + '.nn.utils.prune'); f = importlib.import_module(torch.__name__ + '.func')\n"
     "m = nn.Linear(4, 3); x = torch.ones(1, 4); U = nn.utils\n")
PRUNED = S + "P.l1_unstructured(m, 'weight', 3)\n"
CASES = {
    **{f"prune.{call}": (S, f"P.{call}") for call in (
        "identity(m, 'weight')", "l1_unstructured(m, 'weight', 3)", "random_unstructured(m, 'weight', 3)", "random_structured(m, 'weight', 1, 0)", "ln_structured(m, 'weight', 1, 2, 0)",
        "custom_from_mask(m, 'weight', torch.eye(3, 4))", "global_unstructured([(m, 'weight'), (m, 'bias')], P.L1Unstructured, amount=0.4)")},
    "pruned, called": (PRUNED, "m(x).sum().backward()"),
    "pruned again": (PRUNED, "P.l1_unstructured(m, 'weight', 3)"),
    "pruned again by channels": (PRUNED, "P.ln_structured(m, 'weight', 1, 2, 0)"),
    "prune.remove": (PRUNED, "P.remove(m, 'weight')"),
    "fuse_conv_bn_eval": (S + "c, b = nn.Conv2d(2, 3, 2).eval(), nn.BatchNorm2d(3).eval()", "U.fuse_conv_bn_eval(c, b)"),
    "fuse_linear_bn_eval": (S + "b = nn.BatchNorm1d(3).eval(); m.eval()", "U.fuse_linear_bn_eval(m, b)"),
    "functional_call": (S + "g = {'weight': torch.zeros(3, 4)}", "f.functional_call(m, g, x)"),
    "stack_module_state": (S + "n = nn.Linear(4, 3)", "f.stack_module_state([m, n])"),
    "convert_conv2d_weight_memory_format": (S + "c = nn.Conv2d(2, 3, 2)", "U.convert_conv2d_weight_memory_format(c, torch.channels_last)"),
    "DataParallel": (S + "d = nn.DataParallel(m)", "d(x)"),
}
