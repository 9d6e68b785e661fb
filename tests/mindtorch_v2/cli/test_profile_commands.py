"""Commands on a saved profile: what they show, and how they refuse what is no profile."""

from __future__ import annotations

import json
import socket
import sqlite3

import pytest
from click.testing import CliRunner

import mindtorch_v2 as torch
from mindtorch_v2.cli import COMMANDS, main, terminal
from mindtorch_v2.profiler import profile

HOSTILE = "a\x1b[31m\nname\twith 漢字"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A profile of three training steps, with everything recorded."""
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(record_shapes=True, profile_memory=True, with_stack=True, with_modules=True, with_flops=True) as prof:
        for _ in range(3):
            with torch.profiler.record_function(HOSTILE):
                model(torch.randn(4, 8)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            prof.step()
    path = tmp_path_factory.mktemp("profiles") / "run.mtprof"
    prof.save(path)
    return path


def run(*arguments, code: int = 0) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result.output


def test_a_command_that_is_not_there_is_answered_with_the_nearest():
    assert "Did you mean 'table'?" in run("tabel", code=2)
    assert run("--version").startswith("mindtorch_v2, version ")


def test_help_names_every_command():
    text = run("--help")
    assert all(f"\n  {name} " in text for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    text = run(name, "--help")
    assert "Usage:" in text and f"\n      mindtorch {name} " in text  # with an example


def test_table_shows_ops_by_their_own_time(saved):
    text = run("table", saved)
    assert "aten::addmm" in text and "Self %" in text and "p95" in text
    assert "Shapes" in run("table", saved, "--shapes", "--sort", "memory")


def test_numbers_are_whole_or_left_out_in_a_narrow_terminal(saved, monkeypatch):
    monkeypatch.setattr(terminal, "PIPE_COLUMNS", 70)
    lines = run("table", saved, "--per-step").splitlines()
    assert "columns that need a wider terminal" in lines[0] and max(map(len, lines)) <= 70
    assert "…" not in lines[1] and all(line.count("…") <= 1 for line in lines[2:])  # names alone are cut


def test_table_of_torch_is_torch_s(saved):
    from mindtorch_v2.profiler import load
    assert load(saved).key_averages().table(sort_by="self_cpu_time_total", row_limit=5) in \
        run("table", saved, "--torch", "-n", "5")


def test_names_stay_on_one_line_and_lose_their_escapes(saved):
    text = run("table", saved, "-n", "100")
    assert "\x1b" not in text
    assert r"a\x1b[31m\nname\twith 漢字" in text


def test_tree_shows_callers_and_calls(saved):
    assert "(through " in run("tree", saved, "--least", "0", "--depth", "20")
    assert "aten::addmm" in run("tree", saved, "--callers", "--least", "0")


def test_modules_add_up_with_what_is_no_module(saved):
    text = run("modules", saved)
    assert "Linear" in text and "(no module)" in text


def test_stacks_memory_summary_and_info_answer(saved):
    assert "aten::" in run("stacks", saved, "-n", "50")
    assert "alive after" in run("memory", saved)
    assert "3 steps" in run("summary", saved)
    assert "record_shapes, profile_memory" in run("info", saved)


def test_sql_answers_and_complains_in_a_line(saved):
    duckdb = pytest.importorskip("duckdb")
    assert duckdb
    assert run("sql", saved, "select count(*) n from steps", "--csv") == "n\n3\n"
    text = run("sql", saved, "selct", code=1)
    assert text.startswith("Error: ") and text.count("\n") == 1


def test_a_query_reaches_nothing_but_the_profile(saved, tmp_path):
    pytest.importorskip("duckdb")
    (tmp_path / "secret.csv").write_text("a\n1\n")
    assert "Error" in run("sql", saved, f"select * from '{tmp_path / 'secret.csv'}'", code=1)


def test_diff_of_a_profile_with_itself_finds_nothing(saved):
    assert "0 of 0 rows that differ" in run("diff", saved, saved, "--fail-over", "10%")


def test_diff_fails_where_steps_got_slower(saved, tmp_path):
    with profile() as slow:
        for _ in range(2):
            for _ in range(3000):
                torch.ones(64) + 1
            slow.step()
    with profile() as fast:
        for _ in range(2):
            torch.ones(64) + 1
            fast.step()
    slow.save(tmp_path / "slow.mtprof")
    fast.save(tmp_path / "fast.mtprof")
    assert "longer" in run("diff", tmp_path / "fast.mtprof", tmp_path / "slow.mtprof", "--fail-over", "50%", code=1)
    run("diff", tmp_path / "slow.mtprof", tmp_path / "fast.mtprof", "--fail-over", "50%")
    for no_share in ("nan", "-5%", "much"):
        run("diff", tmp_path / "slow.mtprof", tmp_path / "slow.mtprof", "--fail-over", no_share, code=2)


def test_exports_are_what_they_say(saved, tmp_path):
    run("export", saved, "--to", "chrome", "-o", tmp_path / "trace.json")
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    run("export", saved, "--to", "csv", "-o", tmp_path / "events.csv")
    assert (tmp_path / "events.csv").read_text().startswith("id,name,kind,start_ns")
    run("export", saved, "--to", "sqlite", "-o", tmp_path / "run.db")
    with sqlite3.connect(tmp_path / "run.db") as database:
        assert database.execute("select count(*) from steps").fetchone() == (3,)
    run("export", saved, "--to", "stacks", "-o", tmp_path / "stacks.txt")
    assert "aten::addmm" not in (tmp_path / "stacks.txt").read_text()  # torch's stacks are Python's calls alone
    run("export", saved, "--to", "stacks-with-ops", "-o", tmp_path / "stacks.txt")
    assert "aten::addmm" in (tmp_path / "stacks.txt").read_text()
    run("export", saved, "--to", "speedscope", "-o", tmp_path / "run.speedscope.json")
    assert json.loads((tmp_path / "run.speedscope.json").read_text())["name"] == "run.speedscope.json"
    run("export", saved, "--to", "perfetto", "-o", tmp_path / "run.pftrace")
    assert (tmp_path / "run.pftrace").stat().st_size < (tmp_path / "trace.json").stat().st_size / 20


def test_merged_profiles_are_one(saved, tmp_path):
    run("merge", saved, saved, "-o", tmp_path / "both.mtprof")
    assert "6 steps" in run("summary", tmp_path / "both.mtprof")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"not a profile"])
@pytest.mark.parametrize("name", ["table", "summary", "info", "tree", "memory"])
def test_what_is_no_profile_is_refused_in_one_line(tmp_path, content, name):
    path = tmp_path / "broken.mtprof"
    path.write_bytes(content)
    text = run(name, path, code=1)
    assert text.startswith("Error: ") and text.count("\n") == 1


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path):
    text = run("table", tmp_path / "nothing.mtprof", code=1)
    assert text.startswith("Error: ") and "No such file" in text


@pytest.mark.parametrize("typed, offered", [("mindtorch mem", "plain,memory"), ("mindtorch export --t", "plain,--to"),
                                            ("mindtorch table ru", "file,ru"),
                                            ("mindtorch export --to spe", "plain,speedscope")])
def test_shells_complete_commands_options_and_files(typed, offered):
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_MINDTORCH_COMPLETE": "bash_complete"}
    result = CliRunner().invoke(main, [], prog_name="mindtorch", env=words)
    assert offered in result.output.splitlines()


def test_a_port_that_is_taken_is_said_in_one_line(saved):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        text = run("view", saved, "--serve", "--port", port, code=1)
    assert text.startswith(f"Error: port {port}: ") and text.count("\n") == 1


def test_without_a_browser_the_page_is_named(saved, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    assert "index.html\nError: no browser was found" in run("view", saved, code=1)
