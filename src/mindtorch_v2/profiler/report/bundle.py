"""The page's scripts as one: each module is a function of its own, in the order in which they need each other."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

ASSETS = Path(__file__).parent / "assets"
MAIN = "main.js"
IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


@lru_cache
def script() -> str:
    """All scripts that the first one needs, and itself."""
    parts: dict[str, str] = {}
    _add(MAIN, parts)
    return '"use strict";\n(() => {\nconst modules = {};\n' + "".join(parts.values()) + "})();\n"


def _add(name: str, parts: dict[str, str]) -> None:
    """A module behind those that it imports from."""
    if name in parts:
        return
    text = (ASSETS / name).read_text(encoding="utf-8")
    needed = IMPORT.findall(text)
    for _, other in needed:
        _add(other, parts)
    taken = "".join(f'const {{ {names} }} = modules["{other}"];\n' for names, other in needed)
    exported = ", ".join(match[1] for match in EXPORT.finditer(text))
    body = EXPORT.sub("", IMPORT.sub("", text))
    parts[name] = f'// {name}\nmodules["{name}"] = (() => {{\n{taken}{body}return {{ {exported} }};\n}})();\n'


@lru_cache
def style() -> str:
    """All style sheets, in the order of their names."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.css")))
