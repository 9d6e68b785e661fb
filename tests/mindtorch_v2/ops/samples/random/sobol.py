"""Samples of ops/random/sobol.py."""

from .. import S

_STATE = "torch._sobol_engine_initialize_state_(torch.zeros(3, 30, dtype=torch.int64), 3)"
_POINT = "torch.zeros(3, dtype=torch.int64)"
SAMPLES = {
    "_sobol_engine_initialize_state_": [S(_STATE)],
    "_sobol_engine_scramble_": [S(f"torch._sobol_engine_scramble_({_STATE}, x.tril(), 3)", x="i(3, 30, 30, high=2)")],
    "_sobol_engine_draw": [S(f"torch._sobol_engine_draw({_POINT}, 5, {_STATE}, 3, 0, None)"),
                           S(f"torch._sobol_engine_draw({_POINT}, 2, {_STATE}, 3, 7, torch.float64)")],
    "_sobol_engine_ff_": [S(f"torch._sobol_engine_ff_({_POINT}, 5, {_STATE}, 3, 2)")],
}
