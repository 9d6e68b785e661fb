"""The package as others get it: an sdist, a wheel, an empty environment, and no compiler."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tarfile
import venv

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = """
import io, mindtorch_v2 as torch
print(torch.__config__.show())
with torch.profiler.profile() as prof:
    x = torch.ones(3, requires_grad=True)
    (x * x).sum().backward()
print(x.grad.tolist())
page = io.BytesIO()
prof.report(page)
print(b"modules" in page.getvalue())
"""


def run(*command: str, **env: str) -> subprocess.CompletedProcess:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **env})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done


@pytest.fixture(scope="module")
def sdist(tmp_path_factory) -> pathlib.Path:
    out = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "--outdir", str(out), ".")
    return next(out.glob("*.tar.gz"))


@pytest.mark.slow
def test_sdist_holds_sources_and_no_builds(sdist):
    names = tarfile.open(sdist).getnames()
    for needed in ("LICENSE", "README.md", "setup.py", "src/mindtorch_v2/record/rows.pyx",
                   "src/mindtorch_v2/core/tensor.pxd", "src/mindtorch_v2/devices/cpu/compiled/vmath.h",
                   "src/mindtorch_v2/profiler/report/assets/main.js",
                   "src/mindtorch_v2/profiler/report/assets/1_colours.css"):
        assert any(name.endswith(needed) for name in names), needed
    assert not [name for name in names if name.endswith((".so", ".c"))]


@pytest.mark.slow
def test_without_a_compiler_the_install_succeeds_and_says_so(sdist, tmp_path):
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env" / "bin" / "python")
    run(python, "-m", "pip", "install", "--quiet", str(sdist), CC="/bin/false", CXX="/bin/false")
    done = subprocess.run([python, "-c", PROGRAM], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "uncompiled" in done.stdout or "not compiled" in done.stdout
    assert "[2.0, 2.0, 2.0]\nTrue" in done.stdout
