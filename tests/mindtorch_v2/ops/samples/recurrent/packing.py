"""Sequences padded and packed."""

from .. import S

X = {"x": "f(3, 2, 4)"}
PACKED = {"x": "f(5, 4)"}

SAMPLES = {
    "_pack_padded_sequence": [
        *[S(f"torch._pack_padded_sequence(x, torch.tensor({lengths}), False)", **X)
          for lengths in ("[3, 2]", "[3, 3]", "[3, 1]", "[2, 1]", "[1, 2]", "[3, 0]", "[3]", "[[3, 2]]")],
        S("torch._pack_padded_sequence(x, torch.tensor([2, 2, 1]), True)", **X),
        S("torch._pack_padded_sequence(x, torch.tensor([3.0, 2.0]), False)", **X),
        S("torch._pack_padded_sequence(x[:0], torch.tensor([3, 2]), False)", **X)],
    "_pack_padded_sequence_backward": [
        S("torch.ops.aten._pack_padded_sequence_backward(g, (3, 2, 4), torch.tensor([2, 2, 1]), False)", g="f(5, 4)"),
        S("torch.ops.aten._pack_padded_sequence_backward(g, (2, 3, 4), torch.tensor([2, 2, 1]), True)", g="f(5, 4)")],
    "_pad_packed_sequence": [
        S("torch._pad_packed_sequence(x, torch.tensor([2, 2, 1]), False, 0.0, 3)", **PACKED),
        S("torch._pad_packed_sequence(x, torch.tensor([2, 2, 1]), True, 7.0, 4)", **PACKED),
        S("torch._pad_packed_sequence(x, torch.tensor([3, 1, 1]), False, 0.0, -1)", **PACKED),
        S("torch._pad_packed_sequence(x, torch.tensor([2, 2, 1]), False, 0.0, 2)", **PACKED)],
    "pad_sequence": [S("nn.utils.rnn.pad_sequence([x, y])", x="f(3, 2)", y="f(1, 2)"),
                     S("nn.utils.rnn.pad_sequence([x, y], True, 5.0)", x="f(1, 2)", y="f(3, 2)"),
                     S("nn.utils.rnn.pad_sequence([x, y], padding_side='left')", x="f(3, 2)", y="f(1, 2)"),
                     S("nn.utils.rnn.pad_sequence([x], padding_side='up')", x="f(3, 2)"),
                     S("nn.utils.rnn.pad_sequence([x, y])", x="f(3, 2)", y="f(1, 3)"),
                     S("nn.utils.rnn.pad_sequence([])", x="f(3, 2)")],
}
