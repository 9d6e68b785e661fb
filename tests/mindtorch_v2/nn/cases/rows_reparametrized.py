"""The rows of weight_norm, spectral_norm and parametrizations: a setup, and the call that is watched."""

from __future__ import annotations

S = "U = nn.utils; Q = nn.utils.parametrizations; x = torch.randn(2, 3); w = torch.ones(4, 3)\n"
LAYERS = ("U.weight_norm(nn.Linear(3, 4))", "U.weight_norm(nn.Linear(3, 4), dim=None)",
          "U.spectral_norm(nn.Linear(3, 4))",
          "Q.weight_norm(nn.Linear(3, 4))", "Q.weight_norm(nn.Linear(3, 4), dim=1)", "Q.spectral_norm(nn.Linear(3, 4))")
CASES = {
    **{layer: (S, layer) for layer in LAYERS},
    **{f"{layer} called": (f"{S}m = {layer}", "m(x).sum().backward()") for layer in LAYERS},
    "remove_weight_norm": (f"{S}m = {LAYERS[0]}", "U.remove_weight_norm(m)"),
    "remove_spectral_norm": (f"{S}m = {LAYERS[2]}", "U.remove_spectral_norm(m)"),
    "remove_parametrizations": (f"{S}m = {LAYERS[3]}", "U.parametrize.remove_parametrizations(m, 'weight')"),
    "remove_parametrizations of spectral_norm": (f"{S}m = {LAYERS[5]}",
                                                 "U.parametrize.remove_parametrizations(m, 'weight')"),
    "assigning": (f"{S}m = {LAYERS[5]}", "m.weight = w"),
}
