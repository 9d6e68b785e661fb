"""Views of another shape."""

from .. import S

SAMPLES = {
    "as_strided": [S("torch.as_strided(x, (2, 3), (1, 2))", x="f(3, 4)"),
                   S("x.as_strided((2, 2), (4, 1), 5)", x="f(3, 4)"), S("x.as_strided((2, 3), (1, 1), 1)", x="f(3, 4)"),
                   S("x.as_strided((2, 2), (1, 2), 13)", x="f(3, 4)")],
    "alias": [S("torch.ops.aten.alias(x)", x="f(3, 4)"), S("x[...]", x="f(3)")],
    "expand": [S("x.expand(3, 4)", x="f(3, 1)"), S("x.expand(2, -1, 4)", x="f(3, 1)"), S("x.expand(2, 4)", x="f(3, 4)"),
               S("x.expand(4)", x="f(1)[0]")],
    "expand_as": [S("x.expand_as(y)", x="f(3, 1)", y="f(2, 3, 4)")],
    "broadcast_to": [S("torch.broadcast_to(x, (3, 4))", x="f(4)"), S("x.broadcast_to(2, 3)", x="f(2, 1)")],
    "broadcast_tensors": [S("torch.broadcast_tensors(x, y)", x="f(3, 1)", y="f(4)"),
                          S("torch.broadcast_tensors(x, y)", x="f(3)", y="f(3)"),
                          S("torch.broadcast_tensors(x, y)", x="f(3)", y="f(4)")],
    "view": [S("x.view(4, 3)", x="f(3, 4)"), S("x.view(-1, 2)", x="f(3, 4)"), S("x.t().view(12)", x="f(3, 4)"),
             S("x.view(5)", x="f(3, 4)"), S("x.transpose(1, 2).view(2, 5, 3, 1)", x="f(2, 3, 5)")],
    "view_as": [S("x.view_as(y)", x="f(3, 4)", y="f(12)")],
    "_unsafe_view": [S("torch.ops.aten._unsafe_view(x, (4, 3))", x="f(3, 4)")],
    "_reshape_alias": [S("torch.ops.aten._reshape_alias(x, (4, 3), (3, 1))", x="f(3, 4)")],
    "reshape": [S("x.reshape(4, 3)", x="f(3, 4)"), S("x.t().reshape(-1)", x="f(3, 4)"),
                S("x[:, ::2].reshape(3, 1, 2)", x="f(3, 4)"), S("torch.reshape(x, (2, 7))", x="f(3, 4)")],
    "reshape_as": [S("x.t().reshape_as(y)", x="f(3, 4)", y="f(2, 6)")],
    "flatten.using_ints": [S("x.flatten()", x="f(2, 3, 4)"), S("torch.flatten(x, 1)", x="f(2, 3, 4)"),
                           S("x.transpose(0, 1).flatten(0, 1)", x="f(2, 3, 4)"), S("x.flatten(1, 1)", x="f(2, 3)"),
                           S("x.flatten()", x="f(1)[0]")],
    "unflatten.int": [S("x.unflatten(0, (2, -1))", x="f(6, 2)"), S("torch.unflatten(x, 1, (2, 2))", x="f(3, 4)"),
                      S("x.unflatten(0, (2, 4))", x="f(6, 2)")],
    "ravel": [S("x.ravel()", x="f(3, 4)"), S("x.t().ravel()", x="f(3, 4)")],
}
