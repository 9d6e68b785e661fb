"""What programs ask of their surroundings is answered truthfully: one processor, no accelerator, no other libraries."""

from __future__ import annotations

import copy
import pickle

import pytest

import mindtorch_v2 as torch


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
    assert backends.mkl.is_available() in (True, False)
    assert backends.cpu.get_cpu_capability() in ("DEFAULT", "AVX2", "AVX512", "VSX", "SVE256")


def test_version_names_no_toolkit():
    assert torch.version.cuda is torch.version.hip is torch.version.rocm is torch.version.xpu is None
    assert torch.version.__version__ == torch.__version__
    assert isinstance(torch.version.git_version, str)


def test_config_tells_what_is_compiled_and_how_many_threads_work():
    assert "hot path" in torch.__config__.show()
    assert str(torch.get_num_threads()) in torch.__config__.parallel_info()


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
