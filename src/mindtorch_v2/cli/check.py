"""`mindtorch check`: what of torch a program uses and does not find here, without running it."""

from __future__ import annotations

import difflib
import functools
import importlib
import warnings
from pathlib import Path

import click

from ..alias.finder import PACKAGE
from .torch_names import Use, local_files, names_in

_NEAR = 3
_ABSENT = object()
# Modules that packages of hardware vendors put into torch: whoever names them asks for their device first.
_OF_VENDORS = {f"torch.{device}" for device in ("hpu", "mlu", "musa", "neuron", "npu", "sdaa")}


@click.command("check", short_help="List the names of torch that a program lacks here, without running it.")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "every", is_flag=True, help="Also names in code that expects them to be missing sometimes.")
def command(files: tuple[Path, ...], every: bool) -> None:
    """List the names of torch that FILES, and the local files they import, use and that are not in mindtorch_v2.

    \b
        mindtorch check train.py
        mindtorch check *.py --all

    Exit code 0 if nothing is missing, 1 if something is, 2 if a file cannot be read.
    """
    failed, missing, seen = False, 0, set()
    queue = [file.resolve() for file in files]
    roots = list(dict.fromkeys(file.parent for file in queue))
    while queue:
        path = queue.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            uses, imports = names_in(path.read_text(encoding="utf-8"), str(path))
        except (SyntaxError, UnicodeDecodeError, OSError) as error:
            click.echo(f"{_shown(path)}: cannot be read: {error}", err=True)
            failed = True
            continue
        lines = _report(path, uses, every)
        missing += len(lines)
        for line in lines:
            click.echo(line)
        queue += local_files(imports, path, roots)
    click.echo(f"missing names: {missing}, files: {len(seen)}", err=True)
    raise SystemExit(2 if failed else int(missing > 0))


def _report(path: Path, uses: list[Use], every: bool) -> list[str]:
    """A line for each missing name of a file, at its first use."""
    lines: dict[str, str] = {}
    for use in sorted(uses, key=lambda use: (use.guarded, use.line)):
        if use.guarded and not every:
            continue
        lost = first_missing(use.name)
        if lost is not None and lost[0] not in lines and (every or lost[0] not in _OF_VENDORS):
            name, near = lost
            hint = f" (near: {', '.join(near)})" if near else ""
            lines[name] = f"{_shown(path)}:{use.line}: {name} is not in mindtorch_v2 yet{hint}"
    return list(lines.values())


@functools.cache
def first_missing(name: str) -> tuple[str, list[str]] | None:
    """The part of a dotted name that is not there, with names like it; None if all of it is."""
    member, address = importlib.import_module(PACKAGE), "torch"
    for part in name.split(".")[1:]:
        parent, address = member, f"{address}.{part}"
        member = _member(parent, part, address)
        if member is _ABSENT:
            public = [other for other in dir(parent) if other.startswith("_") <= part.startswith("_")]
            near = difflib.get_close_matches(part, public, _NEAR)
            return address, [f"{address.rpartition('.')[0]}.{other}" for other in near]
        if not hasattr(member, "__path__") and not isinstance(member, (type, type(importlib))):
            return None  # an object's members are not torch's names
    return None


def _member(parent: object, name: str, address: str) -> object:
    """What is at an address, None included (torch.version.cuda); _ABSENT if nothing is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of deprecated names; the program will be told when it runs
        try:
            return getattr(parent, name)
        except AttributeError:
            try:
                return importlib.import_module(PACKAGE + address.removeprefix("torch"))
            except ImportError:
                return _ABSENT


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
