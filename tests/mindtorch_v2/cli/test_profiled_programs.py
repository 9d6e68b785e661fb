"""`mindtorch profile`: a program runs as it would, and what it did is on disk however it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mindtorch_v2.cli.turns import Turns
from mindtorch_v2.profiler import load

PROGRAM = """
import sys, torch
print("arguments", sys.argv[1:], __name__)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
for i in range(8):
    model(torch.randn(2, 4)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def profiled(tmp_path: Path, ending: str = "", *options: str) -> subprocess.CompletedProcess:
    (tmp_path / "train.py").write_text(PROGRAM + ending)
    command = [sys.executable, "-m", "mindtorch_v2", "profile", "-o", "out", *options, "train.py", "--lr", "1"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ))


def test_program_has_its_arguments_and_its_output(tmp_path):
    done = profiled(tmp_path)
    assert (done.returncode, done.stdout) == (0, "arguments ['--lr', '1'] __main__\n"), done.stderr
    assert "aten::addmm" in done.stderr


def test_steps_come_from_the_optimizer(tmp_path):
    done = profiled(tmp_path, "", "--steps", "2-5", "--memory", "--shapes", "--stack")
    assert done.returncode == 0, done.stderr
    digest = load(tmp_path / "out" / "profile.mtprof").digest()
    assert [step.name for step in digest.steps] == ["2", "3", "4"]
    frames = digest.top_down
    calls = [frames.words[word] for word, parent in zip(frames.word.tolist(), frames.parent.tolist()) if parent < 0]
    assert calls[0] == "train.py(8): <module>"  # the line it is at; nothing of what runs the program
    assert not [word for word in frames.words if "/cli/" in word]


@pytest.mark.parametrize(("optimizers", "ends"), [
    ("AAA", "111"), ("DGDGDG", "100101"), ("AAABBB", "111011"), ("ABCABCABC", "100001001"),
    ("DDGDDGDDGDDG", "110000001001"), ("DG" * 2 + "D" * 12, "1001" + "0" * 9 + "111")],
    ids=["one", "two in turn", "one after the other", "three in turn", "two steps of one and one of the other",
         "one goes on alone"])
def test_steps_end_with_the_last_of_the_optimizers_that_take_turns(optimizers, ends):
    turns = Turns()
    assert "".join(str(int(turns.end_with(ord(optimizer)))) for optimizer in optimizers) == ends


@pytest.mark.parametrize(("ending", "code", "said"), [
    ("sys.exit(3)", 3, ""), ("sys.exit('no')", 1, "no\n"), ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
    ("torch.nn.Liner", 1, "Did you mean: 'Linear'?\n"),
    ("sys.excepthook = lambda *_: print('mine', file=sys.stderr); 1 / 0", 1, "mine\n"),
    ("import os; os.chdir('/'); os._exit(3)", 3, "wrote out"),
    ("import os; sys.exit(4 if os.fork() else 0)", 4, "wrote out"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGTERM); signal.pause()", -signal.SIGTERM, "wrote out")])
def test_exit_code_is_the_program_s_and_the_profile_is_written(tmp_path, ending, code, said):
    done = profiled(tmp_path, ending)
    assert done.returncode == code
    assert done.stderr.count(said) == 1 or not said
    assert "profiled_run.py" not in done.stderr and "Warning" not in done.stderr
    assert len(load(tmp_path / "out" / "profile.mtprof").events()) > 0
    assert (tmp_path / "out" / "report.html").stat().st_size > 0


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (("--steps", "9-12", "train.py"), 1, "Error: nothing was recorded: optimizers took 8 steps, and --steps asks for "
                                         "later ones\n"),
    (("lost.py",), 2, "Error: lost.py: no such file\n"),
    (("-m", "lost"), 1, "Error: No module named lost\nwrote ")])
def test_what_cannot_be_profiled_is_said_in_a_line(tmp_path, arguments, code, said):
    (tmp_path / "train.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", "mindtorch_v2", "profile", *arguments], cwd=tmp_path,
                          capture_output=True, text=True, env=dict(os.environ))
    assert (done.returncode, done.stderr[:len(said)]) == (code, said), done.stderr


def test_interrupted_program_leaves_its_profile(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM + "print('ready', flush=True)\nimport time\ntime.sleep(60)\n")
    process = subprocess.Popen([sys.executable, "-m", "mindtorch_v2", "profile", "-o", "out", "train.py"], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() and process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert len(load(tmp_path / "out" / "profile.mtprof").events()) > 0


def test_mistakes_of_the_caller_are_told_without_a_traceback(tmp_path):
    command = [sys.executable, "-m", "mindtorch_v2", "profile"]
    for arguments in (["nothing.py"], ["--steps", "5-2", "x.py"], ["--steps", "many", "x.py"], ["--unknown", "x.py"]):
        done = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr


WITH_CHILDREN = """
import multiprocessing, os, subprocess, sys, torch


def work(name):
    with torch.profiler.record_function(name):
        torch.ones(2).add(1)


if __name__ == "__main__":
    work("own")
    processes = [multiprocessing.get_context(how).Process(target=work, args=(how,)) for how in ("fork", "spawn")]
    for process in processes:
        process.start()
    if os.fork() == 0:
        work("os.fork")
        os._exit(0)
    os.wait()
    subprocess.run([sys.executable, "-c", "import train; train.work('subprocess')"], check=True)
    with multiprocessing.get_context("fork").Pool(1) as pool:  # which ends its processes by a signal
        pool.map(work, ["pool"])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_processes_that_the_program_starts_are_recorded_too(tmp_path):
    (tmp_path / "train.py").write_text(WITH_CHILDREN)
    command = [sys.executable, "-m", "mindtorch_v2", "profile", "-o", "out", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ranges = {"own", "fork", "spawn", "os.fork", "subprocess", "pool"}
    profile = load(tmp_path / "out" / "profile.mtprof")
    assert sorted(event.name for event in profile.events() if event.name in ranges) == sorted(ranges)
    assert len({row.pid for row in profile.digest().threads}) == len(ranges)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["profile.mtprof", "report.html"]
