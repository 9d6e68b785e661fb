"""torch.hub and torch.utils.model_zoo: files by address, weights from the cache, models from a folder."""

from __future__ import annotations

import hashlib

import pytest

from mindtorch_v2 import hub


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "_hub_dir", None)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "home"))
    return tmp_path


def test_downloads_are_kept_where_torch_keeps_them(cache):
    assert hub._get_torch_home() == str(cache / "home") and hub.get_dir() == str(cache / "home" / "hub")
    hub.set_dir(cache / "elsewhere")
    assert hub.get_dir() == str(cache / "elsewhere")


def test_a_file_is_copied_whole_or_not_at_all(cache):
    (cache / "source").write_bytes(b"weights")
    url, target = (cache / "source").as_uri(), cache / "target"
    with pytest.raises(RuntimeError, match='invalid hash value .expected "0000"'):
        hub.download_url_to_file(url, str(target), "0000", progress=False)
    assert sorted(path.name for path in cache.iterdir()) == ["source"]
    hub.download_url_to_file(url, str(target), hashlib.sha256(b"weights").hexdigest()[:8], progress=False)
    assert target.read_bytes() == b"weights"


def test_a_model_comes_from_a_local_folder(cache):
    (cache / "hubconf.py").write_text("dependencies = ['numpy']\ndef model(n, bias=True):\n    return n, bias")
    assert hub.load(str(cache), "model", 3, source="local", bias=False) == (3, False)
    with pytest.raises(RuntimeError, match="Cannot find callable other in hubconf"):
        hub.load(str(cache), "other", source="local")


def test_repositories_are_not_fetched(cache):
    with pytest.raises(RuntimeError, match="torch.hub cannot fetch 'a/b': mindtorch_v2 downloads no repositories"):
        hub.load("a/b", "model")
    with pytest.raises(ValueError, match='Unknown source: "x"'):
        hub.load("a/b", "model", source="x")


def test_the_older_address_has_the_same(cache):
    from mindtorch_v2.utils import model_zoo
    assert model_zoo.load_url is hub.load_state_dict_from_url and model_zoo.tqdm is hub.tqdm
