"""`mindtorch run`: a program that says ``import torch`` gets ours, and is run as plain Python runs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .commands import mindtorch, run_source

SAME = """
import mindtorch_v2, torch, torch.nn.functional as F
print(torch is mindtorch_v2, F is mindtorch_v2.nn.functional)"""


def test_torch_and_all_below_it_are_our_very_modules(tmp_path):
    source = SAME + "\nfrom torch.optim import lr_scheduler; print(lr_scheduler is mindtorch_v2.optim.lr_scheduler)"
    assert run_source(tmp_path, source) == "True True\nTrue\n"


def test_a_module_that_hides_behind_a_function_stays_hidden(tmp_path):
    source = "import torch\nfrom torch.autograd.gradcheck import gradcheck as f\nprint(torch.autograd.gradcheck is f)"
    assert run_source(tmp_path, source) == "True\n"


PLAIN = """
import sys, pathlib
print(sys.argv, __name__, pathlib.Path(__file__).name, pathlib.Path(sys.path[0]).name, __spec__, sys.flags.optimize)
print("to stderr", file=sys.stderr)
def fails(): raise ValueError("the program's own")
if sys.argv[-1] == "fail": fails()
sys.exit(7)
"""


@pytest.mark.parametrize("last", ["fail", "--help"])
def test_arguments_output_tracebacks_and_exit_code_are_plain_pythons(tmp_path, last):
    (tmp_path / "program.py").write_text(PLAIN)
    ours = mindtorch("run", "program.py", "-x", "-m", last, cwd=tmp_path)
    plain = subprocess.run([sys.executable, "program.py", "-x", "-m", last], capture_output=True, text=True,
                           cwd=tmp_path)
    assert (ours.returncode, ours.stdout, ours.stderr) == (plain.returncode, plain.stdout, plain.stderr)


def test_modules_and_code_are_run_too(tmp_path):
    (tmp_path / "package").mkdir()
    main = tmp_path / "package" / "__main__.py"
    main.write_text("import sys, torch; print(__package__, sys.argv[1:], torch.ones(1))")
    assert mindtorch("run", "-m", "package", "-c", cwd=tmp_path).stdout == "package ['-c'] tensor([1.])\n"
    assert mindtorch("run", "-c", SAME).stdout == "True True\n"


@pytest.mark.parametrize(("arguments", "said"), [
    ((), "Missing argument"), (("-m",), "Argument expected for the -m option"), (("-z", "x.py"), "No such option: -z"),
    (("no_such_file.py",), "No such file or directory"),
])
def test_a_command_that_makes_no_sense_is_refused_with_exit_code_2(arguments, said):
    done = mindtorch("run", *arguments)
    assert done.returncode == 2 and said in done.stderr


CHILDREN = """
import multiprocessing, subprocess, sys
def child(queue):
    import torch, mindtorch_v2
    queue.put(torch is mindtorch_v2 and torch.ones(2).sum().item())
if __name__ == "__main__":
    print(subprocess.check_output([sys.executable, "-c", "import torch.nn; print(torch.__package__)"], text=True))
    for method in ("fork", "spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        process = context.Process(target=child, args=(queue,))
        process.start()
        print(method, queue.get())
        process.join()
"""


CHILDREN_PRINT = ["mindtorch_v2", "fork", "2.0", "spawn", "2.0", "forkserver", "2.0"]


def test_child_processes_import_it_too(tmp_path):
    assert run_source(tmp_path, CHILDREN).split() == CHILDREN_PRINT


def test_children_of_a_program_that_installs_it_itself_import_it_too(tmp_path):
    source = "import mindtorch_v2; mindtorch_v2.install_as_torch()\n" + CHILDREN
    (tmp_path / "program.py").write_text(source)
    done = subprocess.run([sys.executable, "program.py"], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"})
    assert done.stdout.split() == CHILDREN_PRINT, done.stderr


def test_a_real_torch_that_is_already_imported_is_a_clear_error(tmp_path):
    (tmp_path / "torch.py").write_text("")
    source = "import torch, mindtorch_v2\nmindtorch_v2.install_as_torch()"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": ":".join(sys.path)})
    assert "RuntimeError: PyTorch is already imported, from" in done.stderr


def test_programs_that_ask_for_the_installed_version_find_ours(tmp_path):
    source = ("import importlib.metadata, importlib.util; print(importlib.metadata.version('torch'), "
              "importlib.util.find_spec('torch') is not None); import torch; print(torch.__version__)")
    first, second = run_source(tmp_path, source).splitlines()
    assert first == f"{second} True"


def test_saved_objects_find_their_classes_under_torchs_names(tmp_path):
    source = """
import copy, inspect, pickle, torch
from torch import nn
model = nn.Linear(2, 2)
assert torch.equal(pickle.loads(pickle.dumps(model)).weight, copy.deepcopy(model).weight)
assert pickle.loads(b"ctorch.nn.modules.linear\\nLinear\\n.") is nn.Linear
assert inspect.getmodule(nn.Linear).Linear is nn.Linear and inspect.getsource(nn.Linear.forward)
assert torch.nn.__spec__.name == torch.nn.__name__
"""
    run_source(tmp_path, source)


def test_weights_with_types_of_numbers_among_them_load_again(tmp_path):
    source = """
import torch
torch.save({"dtype": torch.float16, "counts": torch.ones(2).to(torch.uint16)}, "saved.pt")
saved = torch.load("saved.pt")
assert saved["dtype"] is torch.float16 and saved["counts"].dtype is torch.uint16
"""
    run_source(tmp_path, source)
