"""functorch, which PyTorch installs beside torch: functions of torch.func that say so, modules as functions."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._functorch import functorch
from mindtorch_v2._functorch.functorch import experimental
from mindtorch_v2.alias import PATH

pytestmark = pytest.mark.filterwarnings("ignore:We've integrated functorch")


def test_a_program_may_import_it_before_torch():
    source = "import functorch, functorch.experimental, torch; print(functorch.__version__ == torch.__version__)"
    env = {"PYTHONPATH": ":".join([PATH, *sys.path])}
    assert subprocess.check_output([sys.executable, "-c", source], text=True, env=env) == "True\n"


def test_parts_of_torchs_own_are_there_without_being_imported():
    source = "import mindtorch_v2 as torch; print(torch._functorch.eager_transforms.jacrev is torch.func.jacrev)"
    assert subprocess.check_output([sys.executable, "-c", source], text=True) == "True\n"


def test_its_functions_say_where_they_stand_today():
    with pytest.warns(FutureWarning, match="`functorch.vmap` is deprecated .* Please use `torch.vmap` instead"):
        doubled = functorch.vmap(lambda x: x * 2)(torch.ones(3))
    assert doubled.tolist() == [2, 2, 2]


def test_dimensions_as_objects_are_absent_as_a_program_expects():
    with pytest.raises(ImportError):
        from mindtorch_v2._functorch.functorch import dim  # noqa: F401


def test_a_module_becomes_a_function_of_its_parameters():
    model = torch.nn.Linear(2, 1)
    function, params = functorch.make_functional(model)
    x = torch.ones(1, 2)
    assert function(params, x).equal(model(x)) and params[0] is not model.weight
    assert function([torch.zeros_like(p) for p in params], x).item() == 0
    gradient = functorch.grad(lambda params: function(params, x).sum())(params)
    assert [tuple(g.shape) for g in gradient] == [(1, 2), (1,)]


def test_a_module_with_buffers_needs_the_other_form():
    model = torch.nn.BatchNorm1d(2).eval()
    with pytest.raises(RuntimeError, match="`model` has buffers"):
        functorch.make_functional(model)
    function, params, buffers = functorch.make_functional_with_buffers(model, disable_autograd_tracking=True)
    assert len(buffers) == 3 and not any(p.requires_grad for p in params)
    x = torch.randn(3, 2)
    assert function(params, buffers, x).equal(model(x))


def test_an_ensemble_is_called_at_once():
    models = [torch.nn.Linear(2, 3) for _ in range(4)]
    function, params, buffers = functorch.combine_state_for_ensemble(models)
    x = torch.randn(5, 2)
    together = functorch.vmap(function, (0, 0, None))(params, buffers, x)
    assert torch.allclose(together, torch.stack([model(x) for model in models]), atol=1e-6)
    with pytest.raises(RuntimeError, match="combine_state_for_ensemble: Expected at least one model, got 0."):
        functorch.combine_state_for_ensemble([])


def test_a_batch_is_mapped_in_so_many_parts():
    sizes = []

    def doubled(x):
        sizes.append(torch._C._functorch.get_unwrapped(x).shape[0])
        return x * 2
    x = torch.arange(5.0)
    assert experimental.chunk_vmap(doubled, chunks=2)(x).equal(x * 2) and sizes == [3, 2]


def test_vmap_uses_the_parts_that_a_library_replaces(monkeypatch):
    from mindtorch_v2._functorch import vmap as parts
    given, seen = parts._create_batched_inputs, []
    monkeypatch.setattr(parts, "_create_batched_inputs", lambda *args: (seen.append(args[0]), given(*args))[1])
    assert torch.vmap(torch.sin)(torch.zeros(3)).tolist() == [0, 0, 0]
    assert seen == [[0]]
