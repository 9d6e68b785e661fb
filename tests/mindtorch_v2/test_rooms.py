"""A room sees only rooms below it: the imports of every source file, against the plan of the house."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile

from .profiler.saved_answers import answers

SRC = pathlib.Path(__file__).parents[2] / "src" / "mindtorch_v2"

# From the top of the house to its foundation; rooms on one line may not see each other unless listed in BESIDE.
FLOORS = [
    ["__main__"],
    ["cli"],
    ["profiler/session"],
    ["profiler/patterns", "profiler/results"],
    ["profiler/report"],
    ["profiler/memory"],
    ["profiler/kineto"],
    ["profiler/export"],
    ["profiler/views"],
    ["profiler/table"],
    ["_dynamo", "_compile", "_guards", "_functorch", "_inductor", "_vmap_internals", "distributed/_composable",
     "distributed/algorithms/_checkpoint", "distributed/optim", "overridable", "quantization"],
    ["compiler"],
    ["_higher_order_ops", "_subclasses", "func", "fx"],
    ["distributions", "optim", "utils"],
    ["_C", "__future__", "_utils", "ao", "distributed/fsdp", "hub", "jit", "storage"],
    ["serialization"],
    ["nn"],
    ["_custom_ops", "cpu", "xpu"],
    ["_custom_op", "cuda"],
    ["amp", "library"],
    ["multiprocessing"],
    ["_VF", "_ops", "_tensor", "_tensor_str", "fft", "functional", "linalg", "masked", "nested", "onnx", "quasirandom",
     "signal", "sparse", "special", "testing"],
    ["api"],
    ["classes", "random", "types"],
    ["ops"],
    ["_jit_internal", "distributed"],
    ["dispatch"],
    ["autograd"],
    ["return_types"],
    ["opdef"],
    ["devices"],
    ["accelerator", "alias", "backends", "control_flow", "device_errors",
     "device_modules", "export", "futures", "monitor", "mps", "streams", "symbolic_numbers", "torch_version", "vitals"],
    ["core", "threads"],
    ["devices/cpu", "record"],
    ["_submodules"],
]
# Imports of a name above, made when it is called: torch's address is below what it hands on.
UPWARD = {("backends/cuda.py", "nn")}
FLOOR = {room: i for i, rooms in enumerate(FLOORS) for room in rooms}
FRAMEWORK = {"amp", "library", "multiprocessing", "distributions", "func", "nn", "optim", "utils", "serialization",
             "api", "ops", "dispatch", "autograd", "opdef", "core", "devices", "devices/cpu", "record"}
# torch's own addresses for what lives elsewhere: re-exports, loaded only when asked for.
FACADES = {"__init__.py", "__init__.pxd", "__config__.py", "version.py", "profiler/__init__.py", "profiler/profiler.py",
           "profiler/_utils.py", "profiler/_memory_profiler.py", "profiler/_pattern_matcher.py",
           "profiler/_trace_validator.py", "profiler/_chrome_trace_export.py", "profiler/itt.py",
           "profiler/notebook.py",
           "autograd/profiler.py", "autograd/profiler_util.py", "autograd/profiler_legacy.py", "_C/__init__.py",
           "_C/_autograd.py", "_C/_profiler.py", "_ops.py", "overrides.py"}
IMPORT = re.compile(r"^\s*from\s+(\.+)([\w.]*)\s+c?import\s+(.+)$", re.M)


def sources():
    for path in sorted(SRC.rglob("*")):
        if path.suffix in (".py", ".pyx", ".pxd") and str(path.relative_to(SRC)) not in FACADES:
            yield path


def room_of(parts: tuple[str, ...]) -> str | None:
    for n in (3, 2, 1):
        room = "/".join(parts[:n]).partition(".")[0]
        if room in FLOOR:
            return room
    return None


def imports(path: pathlib.Path):
    here = path.relative_to(SRC).parts[:-1]
    for dots, module, names in IMPORT.findall(path.read_text()):
        base = here[:len(here) - len(dots) + 1]
        target = (*base, *[m for m in module.split(".") if m])
        if room_of(target) is None:  # from .. import nn, ops
            for name in re.findall(r"\w+", names.split("#")[0]):
                yield (*target, name)
        else:
            yield target


@pytest.mark.parametrize("path", [pytest.param(p, id=str(p.relative_to(SRC))) for p in sources()])
def test_file_imports_only_from_below(path):
    file = path.relative_to(SRC)
    mine = room_of(file.parts)
    assert mine is not None, f"{file} stands in no room; give it a floor"
    for target in imports(path):
        theirs = room_of(target)
        if theirs is None or theirs == mine or (str(file), theirs) in UPWARD:
            continue
        assert FLOOR[theirs] > FLOOR[mine], \
            f"{mine} may not import {'.'.join(target)}: {theirs} stands above or beside it"


# Which folders of ops/ import from which; ops reach each other by name, as aten.name().
OPS_SEE = {
    "compressed": {"shared", "sparse"},
    "convolution": {"create", "nn", "shared"},
    "create": {"shared"},
    "decompose": {"shared"},
    "elementwise": {"shared"},
    "embedding": {"create", "shared"},
    "fft": {"shared"},
    "index": {"create", "python", "shared", "view"},
    "linalg": {"create", "decompose", "reduce", "shared", "view"},
    "nested": {"create", "python"},
    "nn": {"create", "shared", "view"},
    "optim": {"reduce"},
    "pool": {"shared"},
    "python": {"create", "shared"},
    "random": {"create", "shared"},
    "recurrent": {"shared"},
    "reduce": {"create", "shared"},
    "resample": {"shared"},
    "shared": {},
    "sparse": {"shared"},
    "special": {"shared"},
    "statistics": {"reduce", "shared"},
    "transformer": {"create", "linalg", "nested", "shared", "view"},
    "loss": {"shared"},
    "view": {"reduce", "shared"},
}


@pytest.mark.parametrize("folder", OPS_SEE)
def test_folders_of_ops_see_only_what_is_listed(folder):
    for path in sorted((SRC / "ops" / folder).glob("*.p*")):
        for room, *target in imports(path):
            if room == "ops" and target and target[0] != folder:
                assert target[0] in OPS_SEE[folder], f"{path.relative_to(SRC)} imports from ops/{target[0]}"


def test_every_folder_of_ops_is_listed():
    assert {path.parent.name for path in (SRC / "ops").glob("*/__init__.py")} == set(OPS_SEE)


@pytest.mark.parametrize("room", ["profiler/table", "profiler/views", "profiler/export"])
def test_what_reads_profiles_needs_no_framework(room):
    for path in sorted((SRC / room).rglob("*.py")):
        for target in imports(path):
            assert room_of(target) not in FRAMEWORK, f"{path.relative_to(SRC)} imports {'.'.join(target)}"


READERS = ("table", "views", "export", "kineto", "memory", "report", "results")


@pytest.mark.parametrize("room", READERS)
def test_what_answers_from_profiles_needs_no_room_but_the_recorder_s(room):
    for path in sorted((SRC / "profiler" / room).rglob("*.py")):
        for target in imports(path):
            assert room_of(target) not in FRAMEWORK - {"record"}, f"{path.relative_to(SRC)} imports {'.'.join(target)}"


def test_a_saved_profile_answers_everything_where_only_its_readers_are(tmp_path):
    package, profiles = tmp_path / "src" / "mindtorch_v2", pathlib.Path(__file__).parent / "profiler"
    for room in ("record", *(f"profiler/{room}" for room in READERS)):
        shutil.copytree(SRC / room, package / room)
    (package / "__init__.py").touch()
    (package / "profiler" / "__init__.py").touch()
    shutil.copy(profiles / "saved_answers.py", tmp_path / "src")
    with profile(record_shapes=True, profile_memory=True, with_stack=True, with_flops=True) as prof:
        model = torch.nn.Linear(3, 2)
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.ones(4, 3)).sum().backward()
        optimizer.step()
    prof.save(tmp_path / "saved.mtprof")
    program = ("import sys, pathlib; from saved_answers import answers; "
               "from mindtorch_v2.profiler.results.loading import load_saved; "
               "folder = pathlib.Path(sys.argv[1]); text = repr(answers(load_saved(folder / 'saved.mtprof'), folder)); "
               "(folder / 'answers.txt').write_text(text)")
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": str(tmp_path / "src")})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "answers.txt").read_text() == repr(answers(prof, tmp_path))


@pytest.mark.slow
def test_framework_runs_without_the_profiler(tmp_path):
    shutil.copytree(SRC, tmp_path / "mindtorch_v2")
    shutil.rmtree(tmp_path / "mindtorch_v2" / "profiler")
    program = ("import mindtorch_v2 as torch; m = torch.nn.Linear(3, 2); o = torch.optim.SGD(m.parameters(), lr=0.1); "
               "m(torch.ones(4, 3)).sum().backward(); o.step(); print('ran')")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": str(tmp_path)})
    assert done.stdout.strip() == "ran", done.stderr
