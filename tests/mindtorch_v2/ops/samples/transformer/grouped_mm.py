"""Products of many matrices in one tensor."""

from .. import S

OFFSETS = "torch.tensor([2, 6], dtype=torch.int32)"
SAMPLES = {
    "_grouped_mm": [
        S(f"torch.nn.functional.grouped_mm(x, y, offs={OFFSETS})", x="f(6, 8)", y="f(2, 8, 12)"),
        S(f"torch.nn.functional.grouped_mm(x, y.transpose(1, 2), offs={OFFSETS})", x="f(6, 8)", y="f(2, 5, 8)"),
        S("torch.nn.functional.grouped_mm(x, y, offs=torch.tensor([4, 8], dtype=torch.int32)).square()", x="f(2, 3, 8)",
          y="f(8, 8)"),
        S(f"torch.nn.functional.grouped_mm(x.transpose(0, 1), y, offs={OFFSETS})", x="f(6, 4)", y="f(6, 8)"),
        S("torch.nn.functional.grouped_mm(x, y)", x="f(2, 3, 8)", y="f(2, 8, 4)"),
        S(f"torch.nn.functional.grouped_mm(x.bfloat16(), y.bfloat16(), offs={OFFSETS})", x="f(6, 8)", y="f(2, 8, 16)")],
}
