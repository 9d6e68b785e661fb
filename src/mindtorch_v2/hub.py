"""torch.hub: weights from a cache, files by their address, models from a folder; repositories are not downloaded."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlparse
from urllib.request import Request, urlopen

from .core.missing_name import missing as _missing

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
READ_DATA_CHUNK = 128 * 1024
ENV_TORCH_HOME, ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR = "TORCH_HOME", "XDG_CACHE_HOME", "~/.cache"
MODULE_HUBCONF, VAR_DEPENDENCY = "hubconf.py", "dependencies"
_GITHUB = ("torch.hub cannot fetch {!r}: mindtorch_v2 downloads no repositories. Clone it and call "
           "torch.hub.{}(path, ..., source='local')")
_hub_dir: str | None = None


class _QuietProgress:
    """In the place of tqdm where that package is not installed."""

    def __init__(self, iterable=None, *args, **kwargs) -> None:
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __enter__(self) -> _QuietProgress:
        return self

    def __exit__(self, *error) -> None:
        pass

    def update(self, n: int = 1) -> None:
        """Nothing is shown."""

    def close(self) -> None:
        """Nothing was shown."""


try:
    from tqdm import tqdm
except ImportError:
    tqdm = _QuietProgress


def _get_torch_home() -> str:
    cache = os.getenv(ENV_XDG_CACHE_HOME, DEFAULT_CACHE_DIR)
    return os.path.expanduser(os.getenv(ENV_TORCH_HOME, os.path.join(cache, "torch")))


def get_dir() -> str:
    """Where downloads are kept: set_dir()'s folder, else ``hub`` in torch's cache."""
    return _hub_dir if _hub_dir is not None else os.path.join(_get_torch_home(), "hub")


def set_dir(d: str | os.PathLike) -> None:
    """Keep downloads elsewhere."""
    global _hub_dir
    _hub_dir = os.path.expanduser(d)


def download_url_to_file(url: str, dst: str, hash_prefix: str | None = None, progress: bool = True) -> None:
    """Write what is at an address into a file, whole or not at all; also for ``file:`` addresses."""
    target = Path(dst).expanduser()
    partial = target.with_name(f"{target.name}.{uuid.uuid4().hex}.partial")
    digest = hashlib.sha256()
    request = Request(url, headers={"User-Agent": "torch.hub"})
    try:
        with urlopen(request) as response, open(partial, "wb") as file:  # noqa: S310  the address is the program's
            size = response.headers.get("Content-Length")
            with tqdm(total=int(size) if size else None, disable=not progress, unit="B", unit_scale=True) as bar:
                while chunk := response.read(READ_DATA_CHUNK):
                    file.write(chunk)
                    digest.update(chunk)
                    bar.update(len(chunk))
        if hash_prefix is not None and not digest.hexdigest().startswith(hash_prefix):
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest.hexdigest()}")')
        shutil.move(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def load_state_dict_from_url(url: str, model_dir: str | None = None, map_location=None, progress: bool = True,
                             check_hash: bool = False, file_name: str | None = None,
                             weights_only: bool = False) -> dict[str, Any]:
    """Weights from torch's cache, which they are downloaded into if they are not there."""
    folder = model_dir if model_dir is not None else os.path.join(get_dir(), "checkpoints")
    os.makedirs(folder, exist_ok=True)
    name = file_name or os.path.basename(urlparse(url).path)
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        sys.stdout.write(f'Downloading: "{url}" to {path}\n')
        match = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, path, match.group(1) if match else None, progress=progress)
    from . import load as load_file
    return load_file(path, map_location=map_location, weights_only=weights_only)


def _local(repo_or_dir: str | os.PathLike, source: str, function: str):
    """The hubconf.py of a folder."""
    source = source.lower()
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        _refuse(repo_or_dir, function)
    folder = os.path.expanduser(repo_or_dir)
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("hubconf", os.path.join(folder, MODULE_HUBCONF))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    absent = [name for name in getattr(module, VAR_DEPENDENCY, []) if importlib.util.find_spec(name) is None]
    if absent:
        raise RuntimeError(f"Missing dependencies: {', '.join(absent)}")
    return module


def _refuse(repository: Any, function: str) -> NoReturn:
    raise RuntimeError(_GITHUB.format(repository, function))


def _entry(module, name: str) -> Callable:
    entry = getattr(module, name, None)
    if not callable(entry):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return entry


def load(repo_or_dir: str | os.PathLike, model: str, *args, source: str = "github", trust_repo="check",
         force_reload: bool = False, verbose: bool = True, skip_validation: bool = False, **kwargs) -> Any:
    """A model that the hubconf.py of a local folder makes."""
    return _entry(_local(repo_or_dir, source, "load"), model)(*args, **kwargs)


def list(github: str, force_reload: bool = False, skip_validation: bool = False, trust_repo="check",  # noqa: A001
         verbose: bool = True) -> NoReturn:
    """Refused: what a repository offers cannot be asked without fetching it."""
    _refuse(github, "load")


def help(github: str, model: str, force_reload: bool = False, skip_validation: bool = False,  # noqa: A001
         trust_repo="check") -> NoReturn:
    """Refused as list() is."""
    _refuse(github, "load")


__getattr__ = _missing(__name__)
