"""Rules of the house that a program can check: sizes of files, slots, what the plan of the house claims."""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys

import pytest

from mindtorch_v2.core import operator_slots
from mindtorch_v2.core.slots import Work
from mindtorch_v2.opdef.table import OPS

ROOT = pathlib.Path(__file__).parents[2]
SRC = ROOT / "src" / "mindtorch_v2"
TESTS = ROOT / "tests" / "mindtorch_v2"
MOST_LINES = 400
# Longer, each for a reason.
LONG = {
    "core/tensor.py": "operators are slots, which a compiled class needs in its body",
    "record/rows.pyx": "the hot path of recording, which C functions of one file share",
}
MOST_FILES = 15  # in a folder of ops/, about


def sources() -> list[pathlib.Path]:
    return sorted(path for path in SRC.rglob("*") if path.suffix in (".py", ".pyx", ".pxd"))


def lines_of(path: pathlib.Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_is_long():
    long = {str(path.relative_to(SRC)) for path in sources() if lines_of(path) > MOST_LINES}
    assert long == set(LONG)


def test_no_file_of_tests_and_tools_is_long():
    paths = [*TESTS.rglob("*.py"), *(ROOT / "tools").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    assert [str(path.relative_to(ROOT)) for path in sorted(paths) if lines_of(path) > MOST_LINES] == []


def test_no_file_is_an_attic():
    attics = {"utils.py", "helpers.py", "common.py", "misc.py"}
    torch_s_own = {"_dynamo/utils.py", "_utils.py", "cuda/amp/common.py", "distributions/utils.py",
                   "nn/modules/utils.py", "profiler/_utils.py", "testing/_utils.py",
                       "utils/data/datapipes/iter/utils.py"}
    assert {str(path.relative_to(SRC)) for path in sources() if path.name.lstrip("_") in attics} <= torch_s_own


@pytest.mark.parametrize("folder", sorted(path for path in (SRC / "ops").iterdir() if (path / "__init__.py").exists()),
                         ids=lambda path: path.name)
def test_a_folder_of_ops_is_small_enough_to_read(folder):
    assert len(list(folder.glob("[!_]*.py"))) <= MOST_FILES


def test_all_slots_that_lower_rooms_need_are_filled():
    assert [name for name, value in vars(Work).items() if value is None] == []
    assert operator_slots.unbound() == []


def test_an_overload_is_declared_in_one_place():
    names = [(op.name, op.overload) for overloads in OPS.values() for op in overloads]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("page", ["README.md", "docs/ARCHITECTURE.md", "docs/HOW_TO.md", "docs/RELIABILITY.md",
                                  "docs/TUTORIAL.md"])
def test_files_that_the_docs_name_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.]+/)+[\w.]+\.(?:py|pyx|pxd|h|md))`", text)
    lost = [path for path in named if not any((base / path).exists() for base in (
        ROOT, SRC, SRC / "profiler", TESTS, TESTS / "profiler"))]
    assert named and lost == []


SMALL = 5  # counts of arguments and dimensions up to here say themselves what they are


def _unnamed(node: ast.AST) -> list[ast.expr]:
    """The operands of a comparison, a mask or a remainder, where a number without a name hides what is meant."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.Mod)):
        operands = [node.left, node.right]
    else:
        return []
    numbers = [operand.operand if isinstance(operand, ast.UnaryOp) else operand for operand in operands]
    return [n for n in numbers if isinstance(n, ast.Constant) and type(n.value) in (int, float) and n.value > SMALL]


def test_numbers_that_decide_something_have_names():
    unnamed = {f"{path.relative_to(SRC)}:{node.lineno}: {ast.unparse(node)}" for path in SRC.rglob("*.py")
               for node in ast.walk(ast.parse(path.read_text())) if _unnamed(node)}
    assert unnamed == set()


PRONOUNS = {"found", "made"}  # which say that there is something, but not what it is


def test_locals_say_what_they_hold():
    pronouns = {f"{path.relative_to(SRC)}:{node.lineno}" for path in SRC.rglob("*.py")
                for node in ast.walk(ast.parse(path.read_text()))
                if {getattr(node, "id", None), getattr(node, "arg", None)} & PRONOUNS}
    assert pronouns == set()


def test_plain_programs_give_no_reason_to_look_closer_at_every_call():
    program = ("import mindtorch_v2 as torch; from mindtorch_v2.core import modes; "
               "from mindtorch_v2 import distributed, func, nested, nn, optim, profiler, sparse, utils; "
               "import mindtorch_v2.distributed.tensor, mindtorch_v2._subclasses.fake_tensor; "
               "torch.vmap(torch.sin)(torch.ones(2)); print(modes.count_reasons())")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
