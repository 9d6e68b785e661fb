"""One step of a recurrent network."""

from .. import S


def _cell(name: str, gates: int) -> list:
    inputs = {"x": "f(2, 3)", "h": "f(2, 4)", "w": f"f({4 * gates}, 3)", "u": f"f({4 * gates}, 4)",
              "p": f"f({4 * gates})", "q": f"f({4 * gates})"}
    state = "(h, h * 2)" if name == "lstm_cell" else "h"
    wrong = "(h[:, :3], h)" if name == "lstm_cell" else "h[:, :3]"
    fewer = "(h[:1], h)" if name == "lstm_cell" else "h[:1]"
    return [S(f"torch.{name}(x, {state}, w, u, p, q)", **inputs), S(f"torch.{name}(x, {state}, w, u)", **inputs),
            S(f"torch.{name}(x[:, :2], {state}, w, u)", **inputs), S(f"torch.{name}(x, {wrong}, w, u)", **inputs),
            S(f"torch.{name}(x, {fewer}, w, u)", **inputs)]


SAMPLES = {"rnn_tanh_cell": _cell("rnn_tanh_cell", 1), "rnn_relu_cell": _cell("rnn_relu_cell", 1),
           "gru_cell": _cell("gru_cell", 3), "lstm_cell": _cell("lstm_cell", 4)}
