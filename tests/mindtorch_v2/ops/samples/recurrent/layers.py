"""Recurrent networks over whole sequences."""

from .. import S

SIZES = "torch.tensor([2, 2, 1])"


def _layer(name: str, gates: int) -> list:
    """One layer, both directions, two layers, without biases, the batch first, in double precision."""
    wide = {"x": "f(3, 2, 3)", "h": "f(1, 2, 4)", "w": f"f({4 * gates}, 3)", "u": f"f({4 * gates}, 4)",
            "p": f"f({4 * gates})", "q": f"f({4 * gates})"}
    state, both = ("[h, h * 2]", "[torch.cat([h, h])] * 2") if name == "lstm" else ("h", "torch.cat([h, h])")
    double = {**wide, "x": "d(3, 2, 3)"}
    second = {**wide, "v": f"f({4 * gates}, 4) / 4", "u": f"f({4 * gates}, 4) / 4"}
    every = "[t.double() for t in (w, u, p, q)]"
    doubled = "[h.double()] * 2" if name == "lstm" else "h.double()"
    return [S(f"torch.{name}(x, {state}, [w, u, p, q], True, 1, 0.0, True, False, False)", **wide),
            S(f"torch.{name}(x, {state}, [w, u], False, 1, 0.0, True, False, False)", **wide),
            S(f"torch.{name}(x.transpose(0, 1), {state}, [w, u, p, q], True, 1, 0.0, True, False, True)", **wide),
            S(f"torch.{name}(x, {both}, [w, u, p, q] * 2, True, 1, 0.0, True, True, False)", **wide),
            S(f"torch.{name}(x, {both}, [w, u, p, q, v, u, p, q], True, 2, 0.5, True, False, False)", **second),
            S(f"torch.{name}(x, {doubled}, {every}, True, 1, 0.0, True, False, False)", **double),
            S(f"torch.{name}(x, {state}, [w, u, p, q], True, 1, 0.0, True, False, False)[1]", **wide),
            S(f"torch.{name}(x[:0], {state}, [w, u, p, q], True, 1, 0.0, True, False, False)", **wide)]


def _packed(name: str, gates: int) -> list:
    inputs = {"x": "f(5, 3)", "h": "f(1, 2, 4)", "w": f"f({4 * gates}, 3)", "u": f"f({4 * gates}, 4)",
              "p": f"f({4 * gates})", "q": f"f({4 * gates})"}
    state, both = ("[h, h * 2]", "[torch.cat([h, h])] * 2") if name == "lstm" else ("h", "torch.cat([h, h])")
    return [S(f"torch.{name}(x, {SIZES}, {state}, [w, u, p, q], True, 1, 0.0, True, False)", **inputs),
            S(f"torch.{name}(x, {SIZES}, {both}, [w, u, p, q] * 2, True, 1, 0.0, True, True)", **inputs)]


GATES = {"rnn_tanh": 1, "rnn_relu": 1, "gru": 3, "lstm": 4}
SAMPLES = {f"{name}.input": _layer(name, gates) for name, gates in GATES.items()}
SAMPLES |= {f"{name}.data": _packed(name, gates) for name, gates in GATES.items()}
SAMPLES["lstm.input"].append(
    S("torch.lstm(x, [h, c], [w, u, p, q, r], True, 1, 0.0, True, False, False)", x="f(3, 2, 3)", h="f(1, 2, 2)",
      c="f(1, 2, 4)", w="f(16, 3)", u="f(16, 2)", p="f(16)", q="f(16)", r="f(2, 4)"))
