"""Reading a saved profile: everything in it is checked before anybody looks at it."""

from __future__ import annotations

import os

import numpy as np

from ...record.recorded_json import inputs_of, module_of, optimizer_of
from ..export.json_text import from_user
from ..table.columns import row_type
from ..table.event_table import EventTable, Thread, Window
from ..table.identities import Identities, Known
from . import checking
from .archive import Archive, ArchiveError
from .file_format import FACTS, FACTS_MEMBER, FORMAT, LEADING, MISSING, RELATIVE, TABLES, VERSION, WITHOUT_DEVICES
from .json_forms import has_form
from .loaded import Kept, LoadedAutogradProfile, LoadedProfile, Switches
from .overhead import Overhead
from .packing import Packed, Unpacked

MAGIC = b"PK"
# Bases of columns that are not in the file.
NOTHING = {table: {column.name: 0 for column in TABLES[table]} for table in MISSING[WITHOUT_DEVICES]}


def is_saved(path: str | os.PathLike) -> bool:
    """Whether a file begins as saved profiles do."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def load_saved(path: str | os.PathLike) -> LoadedProfile:
    """The profile in a file that ``save`` wrote; ValueError says what is wrong with any other."""
    try:
        if not is_saved(path):
            raise ArchiveError("is no saved profile of mindtorch_v2's")
        with Archive(os.fspath(path)) as archive:
            return _profile(archive)
    except ArchiveError as error:
        raise ValueError(f"{os.fspath(path)!r} {error}") from error.__cause__


def _profile(archive: Archive) -> LoadedProfile:
    facts = _facts(archive)
    table = _table(archive, facts)
    recordings = Kept(table, facts["dropped"], Overhead(*facts["overhead"]))
    profiler = LoadedAutogradProfile(recordings, Switches(**facts["switches"]), facts["trace_id"], facts["host_name"],
                                     facts["categories"], _as_metadata(facts["metadata"]), facts["settings"])
    return LoadedProfile(profiler, facts["use_device"], _as_metadata(facts["preset_metadata"]),
                         _as_metadata(facts["trace_metadata"]), facts["settings"])


def _as_metadata(pieces: dict[str, str]) -> dict[str, str]:
    """Pieces of JSON as a trace can take them, whatever they are."""
    return {key: from_user(piece) for key, piece in pieces.items()}


def _facts(archive: Archive) -> dict:
    if not archive.has(FACTS_MEMBER):
        raise ArchiveError("is a zip, but no saved profile of mindtorch_v2's")
    facts = archive.json(FACTS_MEMBER)
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise ArchiveError("is a zip, but no saved profile of mindtorch_v2's")
    version = facts.get("version")
    if not has_form(version, int) or version < 1:
        raise ArchiveError("is damaged: it does not say its version")
    if version > VERSION:
        raise ArchiveError(f"was written by a newer version: it has format {version}, and this version reads up to "
                           f"{VERSION}")
    if version == WITHOUT_DEVICES:
        facts["device"] = ""
    if isinstance(facts.get("bases"), dict):
        facts["bases"] |= {table: NOTHING[table] for table in MISSING.get(version, ())}
    for fact in FACTS:
        if not has_form(facts.get(fact.name), fact.form):
            raise ArchiveError(f"is damaged: what it says of {fact.name!r} has another form than it should")
    return facts


def _table(archive: Archive, facts: dict) -> EventTable:
    tables = {name: _columns(archive, name, facts["bases"].get(name, {})) for name in TABLES}
    names, inputs, modules, optimizers, schemas = (
        checking.words(archive, member) for member in
        ("names.json", "inputs.json", "modules.json", "optimizers.json", "schemas.json"))
    threads = tuple(Thread(*thread) for thread in facts["threads"])
    window = Window(**facts["window"], device=facts["device"])
    checking.threads(threads)
    checking.events(tables["events"], len(names), len(inputs), threads)
    checking.memory(tables["memory"], tables["events"].n_rows, threads)
    checking.devices(tables, len(names), threads)
    checking.module_ranges(tables["module_ranges"], len(names), threads)
    checking.cpu_times(tables["cpu_times"], threads)
    checking.identities(tables, len(modules), len(optimizers))
    checking.times(window, tables)
    rows = (_as_rows(name, tables[name]) for name in ("tensors", "module_calls", "optimizer_calls"))
    identities = Identities(*rows, [module_of(value) for value in modules], [optimizer_of(v) for v in optimizers])
    return EventTable(tables["events"], tables["memory"], [(name, overload) for name, overload in names],
                      [inputs_of(value) for value in inputs], threads, window, Known(identities),
                      {name: tuple(map(tuple, overloads)) for name, overloads in schemas.items()},
                      tables["device_activity"], tables["device_memory"], tables["module_ranges"], tables["cpu_times"])


def _columns(archive: Archive, table: str, bases: dict[str, int]) -> Unpacked:
    """The columns of a table: each with a base, those that are there of one length, their numbers within their type."""
    packed = {}
    for name, _, _ in TABLES[table]:
        member = f"{table}/{name}.npy"
        if name not in bases:
            raise ArchiveError(f"is damaged: it does not say the base of {table}/{name}")
        packed[name] = Packed(bases[name], archive.array(member) if archive.has(member) else None)
    leading = packed[LEADING[table]].cells
    if leading is None and bases is NOTHING.get(table):
        leading = np.zeros(0, np.uint8)
    if leading is None:
        raise ArchiveError(f"has no member {table}/{LEADING[table]}.npy")
    columns = Unpacked(TABLES[table], len(leading), packed, RELATIVE if table == "events" else ())
    for name, (_, cells) in packed.items():
        if cells is not None and len(cells) != columns.n_rows:
            raise ArchiveError(f"is damaged: {table}/{name} has {len(cells)} rows instead of {columns.n_rows}")
        checking.within(columns, table, name, np.iinfo(columns.types[name]).min, np.iinfo(columns.types[name]).max)
    return columns


def _as_rows(table: str, columns: Unpacked) -> np.ndarray:
    rows = np.empty(columns.n_rows, row_type(TABLES[table]))
    for name in columns:
        rows[name] = columns.stored(name)
    return rows
