"""A layer of an encoder as one op."""

from .. import S

LAYER = {"x": "f(2, 3, 4)", "w": "f(12, 4)", "b": "f(12)", "p": "f(4, 4)", "c": "f(4)", "g": "f(4)", "h": "f(4)",
         "u": "f(6, 4)", "i": "f(6)", "v": "f(4, 6)", "j": "f(4)"}
_CALL = "torch._transformer_encoder_layer_fwd({}, 4, 2, w, b, p, c, {}, {}, 1e-5, g, h, g, h, u, i, v, j{})"

SAMPLES = {
    "_transformer_encoder_layer_fwd": [
        S(_CALL.format("x", False, False, ""), **LAYER), S(_CALL.format("x", True, False, ""), **LAYER),
        S(_CALL.format("x", False, True, ""), **LAYER), S(_CALL.format("x[:0]", False, True, ""), **LAYER),
        S(_CALL.format("x", False, False, ", m, 1"), m="b(2, 3)", **LAYER),
        S(_CALL.format("x.transpose(0, 1)", False, False, ""), **{**LAYER, "x": "f(3, 2, 4)"})],
}
