"""torch.compile, torch.compiler, torch._dynamo: nothing is compiled, which is said once; mistakes are torch's."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_a_function_and_a_module_come_back_as_they_are():
    model = torch.nn.Linear(2, 2)
    assert torch.compile(model) is torch.compile(model, mode="reduce-overhead", fullgraph=True, dynamic=True) is model
    assert torch.compile()(len) is torch.compile(backend="eager", options={"a": 1})(len) is len
    assert torch._dynamo.optimize("inductor")(len) is len
    assert not isinstance(model, torch._dynamo.eval_frame.OptimizedModule)


def test_the_warning_comes_once():
    program = ("import warnings, mindtorch_v2 as torch; warnings.simplefilter('always')\n"
               "torch.compile(len, disable=True)\n@torch.compile\ndef f(): pass\ntorch.compile(len); torch.compile(f)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={"PYTHONPATH": ":".join(sys.path)})
    assert done.stderr.count("mindtorch_v2 compiles nothing: torch.compile() returns what it is given") == 1


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"backend": "nope"}, RuntimeError, "Invalid backend: 'nope', see `torch._dynamo.list_backends()` for available "
                                        "backends."),
    ({"mode": "nope"}, RuntimeError, "Unrecognized mode=nope, should be one of: default, lite, reduce-overhead, "
                                     "max-autotune-no-cudagraphs, max-autotune"),
    ({"mode": "default", "options": {"a": 1}}, RuntimeError,
     "Either mode or options can be specified, but both can't be specified at the same time."),
    ({"model": 3}, AssertionError, "A callable function is expected, but <class 'int'> is provided."),
])
def test_mistakes_are_refused_in_torchs_words(options, error, text):
    with pytest.raises(error) as caught:
        torch.compile(options.pop("model", len), **options)
    assert str(caught.value) == text
    assert "backend" not in options or isinstance(caught.value, torch._dynamo.exc.InvalidBackend)


def test_backends_are_listed_and_can_be_added():
    assert torch.compiler.list_backends() == ["cudagraphs", "inductor", "openxla", "tvm"]

    @torch._dynamo.register_backend
    def of_mine(graph, inputs):
        return graph

    assert "of_mine" in torch._dynamo.list_backends() and torch.compile(len, backend="of_mine") is len


def test_questions_are_answered_truthfully():
    assert torch._dynamo.is_compiling() is torch.compiler.is_compiling() is False
    assert torch._dynamo.utils.is_compile_supported("cpu") is False
    torch._dynamo.config.suppress_errors = torch._dynamo.config.cache_size_limit = 64
    torch._dynamo.reset(), torch.compiler.reset(), torch._dynamo.mark_dynamic(torch.ones(2), 0)
    with torch.compiler.set_stance("force_eager"):
        pass
    assert torch.compiler.wrap_numpy(np.cumsum)(torch.ones(3)).tolist() == [1, 2, 3]


def test_settings_can_be_patched_for_a_block_or_a_function():
    config = torch._dynamo.config
    before = config.verbose

    @config.patch(verbose="inside")
    def patched():
        return config.verbose

    with config.patch({"verbose": "block"}), config.patch("disable", "also"):
        assert (config.verbose, config.disable, patched()) == ("block", "also", "inside")
    assert config.verbose == before
    with pytest.raises(AttributeError, match="torch._dynamo.config.no_such_setting does not exist"):
        config.patch(no_such_setting=1)
