"""Samples of ops/nn/batch_norm_forms.py."""

from .. import S

_GIVEN = {"x": "f(2, 3, 4)", "w": "f(3)", "b": "f(3)"}
_STATS = "torch.zeros(3), torch.ones(3)"
_SAVED = "None, None, b.detach(), (b * b).detach(), True, 1e-5, [True] * 3, torch.empty(0)"
SAMPLES = {
    "_native_batch_norm_legit": [S(f"torch._native_batch_norm_legit(x, w, b, {_STATS}, True, 0.1, 1e-5)", **_GIVEN),
                                 S(f"torch._native_batch_norm_legit(x, w, b, {_STATS}, False, 0.1, 1e-5)", **_GIVEN)],
    "_native_batch_norm_legit.no_stats": [
        S("torch._native_batch_norm_legit(x, w, None, True, 0.1, 1e-5)", x="f(2, 3, 4)", w="f(3)")],
    "_native_batch_norm_legit_no_training": [
        S(f"torch._native_batch_norm_legit_no_training(x, w, b, {_STATS}, 0.1, 1e-5)", **_GIVEN)],
    "batch_norm_update_stats": [S(f"torch.batch_norm_update_stats(x.detach().float(), {_STATS}, 0.1)", x="f(2, 3, 4)"),
                                S("torch.batch_norm_update_stats(x.detach(), None, None, 0.1)", x="f(2, 3)")],
    "_native_batch_norm_legit_functional": [
        S(f"torch.ops.aten._native_batch_norm_legit_functional(x, w, b, {_STATS}, True, 0.1, 1e-5)", **_GIVEN)],
    "_batch_norm_with_update": [
        S(f"torch.ops.aten._batch_norm_with_update(x, w, b, {_STATS}, 0.1, 1e-5)[:3]", **_GIVEN)],
    "_batch_norm_no_update": [
        S(f"torch.ops.aten._batch_norm_no_update(x, w, b, {_STATS}, 0.1, 1e-5)[:1]", **_GIVEN)],
    "_batch_norm_with_update_functional": [
        S(f"torch.ops.aten._batch_norm_with_update_functional(x, w, b, {_STATS}, 0.1, 1e-5)[4:]", **_GIVEN)],
    "batch_norm_backward": [
        S(f"torch.ops.aten.batch_norm_backward(x, y, w, {_SAVED})", y="f(2, 3, 4)", **_GIVEN)],
    "_batch_norm_impl_index_backward": [
        S(f"torch.ops.aten._batch_norm_impl_index_backward(0, y, x, w, {_SAVED})", y="f(2, 3, 4)", **_GIVEN)],
}
