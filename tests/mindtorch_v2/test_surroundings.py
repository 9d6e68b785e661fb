"""What programs ask of their surroundings is answered truthfully: one processor, no accelerator, no other libraries."""

from __future__ import annotations

import copy
import pathlib
import pickle
import threading
import tomllib

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.torch_version import TorchVersion


@pytest.mark.parametrize("module", [torch.cuda, torch.xpu, torch.mps, torch.accelerator])
def test_there_is_no_accelerator(module):
    assert module.is_available() is False
    assert module.device_count() == 0


def test_there_is_one_processor():
    assert (torch.cpu.is_available(), torch.cpu.device_count(), torch.cpu.current_device()) == (True, 1, "cpu")


@pytest.mark.parametrize(("call", "error", "text"), [
    (torch.cuda.current_device, AssertionError, "Torch not compiled with CUDA enabled"),
    (torch.xpu.current_device, AssertionError, "Torch not compiled with XPU enabled"),
    (torch.mps.synchronize, RuntimeError, r"Cannot execute deviceSynchronize\(\) without MPS backend."),
    (torch.accelerator.synchronize, RuntimeError, "Cannot access accelerator device when none is available."),
])
def test_what_needs_a_device_is_refused_with_torchs_words(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_harmless_questions_are_answered_without_a_device():
    assert torch.cuda.memory_allocated() == torch.xpu.memory_reserved() == 0
    assert torch.cuda.is_initialized() is torch.xpu.is_initialized() is False
    assert torch.accelerator.current_accelerator() is None
    torch.cuda.manual_seed_all(1), torch.cuda.empty_cache()


def test_libraries_that_are_not_there_are_not_claimed():
    backends = torch.backends
    for library in (backends.mkldnn, backends.cudnn, backends.mps, backends.openmp):
        assert library.is_available() is False
    assert backends.cuda.is_built() is backends.mps.is_built() is False
    assert backends.cudnn.version() is None
    assert not backends.flags_frozen()
    assert backends.mkl.is_available() in (True, False)
    assert backends.cpu.get_cpu_capability() in ("DEFAULT", "AVX2", "AVX512", "VSX", "SVE256")


def test_version_is_that_of_the_pytorch_we_follow_with_ours_beside_it():
    packaged = tomllib.loads((pathlib.Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["version"]
    assert torch.__mindtorch_version__ == torch.version.mindtorch == packaged
    assert str(torch.__version__) == "2.13.0+mindtorch.0.1"
    assert packaged in torch.__config__.show()


@pytest.mark.parametrize("older", ["1.13.1", "2.9", "2.13", "2.13.0", "2.13.0rc2", "2.13.0.dev20260101", (2, 0),
                                   (2, 13), [2, 13, 0]])
def test_version_is_later_than(older):
    assert torch.__version__ > older and torch.__version__ >= older and older < torch.__version__
    assert not torch.__version__ <= older


@pytest.mark.parametrize("newer", ["2.13.1", "2.14", "2.14a0", "2.13.0.post1", "10.0", "1!0.1", (2, 14), (3,)])
def test_version_is_earlier_than(newer):
    assert torch.__version__ < newer and torch.__version__ <= newer
    assert not torch.__version__ >= newer


def test_version_compares_as_text_with_what_is_no_version():
    assert (torch.__version__ < "parrot") is ("2.13" < "parrot")
    with pytest.raises(TypeError, match="'<' not supported between instances of 'TorchVersion' and 'int'"):
        torch.__version__ < 5  # noqa: B015


def test_versions_that_are_spelled_differently_are_one():
    short, long = TorchVersion("2.13"), "2.13.0"
    assert short == long and not short != long
    assert sorted(map(TorchVersion, ["2.10", "2.9", "2.10rc1", "2.10.dev1"])) == ["2.9", "2.10.dev1", "2.10rc1", "2.10"]


def test_version_is_a_string():
    assert torch.__version__.split("+")[0] == "2.13.0"
    assert hash(torch.__version__) == hash(str(torch.__version__))
    assert type(pickle.loads(pickle.dumps(torch.__version__))) is TorchVersion


def test_the_package_is_found_in_itself():
    assert torch.torch is torch


def test_version_names_no_toolkit():
    assert torch.version.cuda is torch.version.hip is torch.version.rocm is torch.version.xpu is None
    assert torch.version.__version__ == torch.__version__
    assert isinstance(torch.version.git_version, str)


def test_config_tells_what_is_compiled_and_how_many_threads_work():
    assert "hot path" in torch.__config__.show()
    assert str(torch.get_num_threads()) in torch.__config__.parallel_info()


def test_config_tells_what_multiplies_matrices_and_which_vectors_there_are():
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
    assert blas in torch.__config__.show() and torch.backends.cpu.get_cpu_capability() in torch.__config__.show()


def test_config_tells_what_the_environment_says_of_threads(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert "OMP_NUM_THREADS: 3\n" in torch.__config__.parallel_info()


@pytest.mark.parametrize("name", ["strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc",
                                  "_mkldnn", "jagged"])
def test_layouts_are_there_once(name):
    layout = getattr(torch, name)
    assert repr(layout) == f"torch.{name}"
    assert isinstance(layout, torch.layout)
    assert copy.deepcopy(layout) is copy.copy(layout) is pickle.loads(pickle.dumps(layout)) is layout


def test_layouts_and_formats_cannot_be_made():
    for kind in (torch.layout, torch.memory_format):
        with pytest.raises(TypeError, match=f"cannot create 'torch.{kind.__name__}' instances"):
            kind()


def test_tensors_are_strided():
    assert torch.ones(2).layout is torch.strided
    assert torch.legacy_contiguous_format is torch.contiguous_format


def test_nothing_is_compiled_and_functions_stay_what_they_are():
    compiler = torch.compiler
    assert compiler.is_compiling() is compiler.is_dynamo_compiling() is compiler.is_exporting() is False
    assert compiler.disable(len) is compiler.disable()(len) is compiler.allow_in_graph(len) is len


def test_tensors_are_grouped_by_type():
    from mindtorch_v2.utils._foreach_utils import _group_tensors_by_device_and_dtype
    a, b, c = torch.ones(1), torch.ones(1, dtype=torch.float64), torch.ones(2)
    grouped = _group_tensors_by_device_and_dtype([[a, b, c], [1, 2, 3]], with_indices=True)
    assert {key[1]: value for key, value in grouped.items()} \
        == {torch.float32: ([[a, c], [1, 3]], [0, 2]), torch.float64: ([[b], [2]], [1])}


def test_a_file_baton_is_held_by_one_process_and_waited_for_by_others(tmp_path):
    from mindtorch_v2.utils.file_baton import FileBaton
    first, second = [FileBaton(str(tmp_path / "lock"), wait_seconds=0.001, warn_after_seconds=0) for _ in range(2)]
    assert first.try_acquire() and not second.try_acquire()
    waiting = threading.Timer(0.02, first.release)
    waiting.start()
    with pytest.warns(UserWarning, match="Waited on lock file .*lock\" for 0 seconds"):
        second.wait()
    waiting.join()
    assert second.try_acquire()
    second.release()
