"""The page: self-contained, under a strict policy, with names that cannot become anything but text."""

from __future__ import annotations

import base64
import hashlib
import re

from mindtorch_v2.profiler.report import bundle, report
from mindtorch_v2.profiler.report.page import page

from ..views.tables import RANGE, Row, made
from .reading import data_of

ASSETS = sorted(bundle.ASSETS.iterdir())
SCRIPTS = [path for path in ASSETS if path.suffix == ".js"]
MOST_LINES = 250
FORBIDDEN = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(",
             "XMLHttpRequest", "WebSocket")
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">"


def hash_of(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_policy_names_the_script_and_the_style_and_nothing_else():
    text = page("title", "AAAA")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#x27;", "'")
    script, style = re.findall(r"<script>(.*?)</script>", text, re.S), re.findall(r"<style>(.*?)</style>", text, re.S)
    assert len(script) == len(style) == 1
    assert policy.split("; ") == ["default-src 'none'", f"script-src '{hash_of(script[0])}'",
                                  f"style-src '{hash_of(style[0])}'", "img-src data:", "base-uri 'none'",
                                  "form-action 'none'"]


def test_nothing_is_loaded_from_elsewhere():
    text = page("title", "AAAA")
    assert not re.search(r"(src|href)=[\"']?(?!#)", text.replace('href="#panel"', ""))
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text


def test_names_of_a_profile_stand_in_the_data_alone():
    source = report.Source(made([Row(HOSTILE, 0, 10, RANGE)]), title=HOSTILE)
    text = report.html(source)
    assert HOSTILE in data_of(text)["words"]
    assert "<img" not in text and text.count("</script>") == 2


def test_scripts_make_no_html_of_text():
    for path in SCRIPTS:
        for word in FORBIDDEN:
            assert word not in path.read_text(encoding="utf-8"), f"{path.name}: {word}"


def test_scripts_and_styles_are_small_enough_to_read():
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in ASSETS}
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_every_script_is_in_the_page_once_and_after_those_it_needs():
    text = bundle.script()
    places = {path.name: text.index(f'modules["{path.name}"] = ') for path in SCRIPTS}
    for path in SCRIPTS:
        assert text.count(f'modules["{path.name}"] = ') == 1
        for names, other in bundle.IMPORT.findall(path.read_text(encoding="utf-8")):
            assert places[other] < places[path.name]
            needed = (bundle.ASSETS / other).read_text(encoding="utf-8")
            exported = {match[1] for match in bundle.EXPORT.finditer(needed)}
            assert set(names.split(", ")) <= exported, f"{path.name} imports {names} from {other}"
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)


def test_the_same_profile_gives_the_same_page():
    source = report.Source(made([Row("aten::mm", 0, 10)]))
    assert report.html(source) == report.html(source)
