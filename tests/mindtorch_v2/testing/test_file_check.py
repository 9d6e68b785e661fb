"""torch.testing.FileCheck: what is demanded of a text, as PyTorch answers."""

from __future__ import annotations

import pytest

from mindtorch_v2.testing import FileCheck

HOLDS = {
    "one behind the other": (lambda f: f.check("a").check("b"), "x a y b"),
    "in any order": (lambda f: f.check_dag("b").check_dag("a"), "a b"),
    "so many": (lambda f: f.check_count("a", 2, True), "a b a"),
    "next line": (lambda f: f.check("a").check_next("b"), "a\nb"),
    "same line": (lambda f: f.check("a").check_same("b"), "a b\n"),
    "not between": (lambda f: f.check("a").check_not("q").check("b"), "q a b q"),
    "described": (lambda f: f.check_regex("a+b"), "xx aab"),
    "highlighted": (lambda f: f.check_source_highlighted("b"), "a + b\n    ~ <--- HERE"),
}
FAILS = {
    "missing": (lambda f: f.check("a").check("c"), "x a y b\nzz",
                'Expected to find "c" but did not find it\nSearched string:\nx a y b\nzz\nFrom CHECK: c\n'),
    "there": (lambda f: f.check("a").check_not("q").check("b"), "x a q b",
              'Expected to not find "q" but found it\nx a q b\n    ~ <--- HERE\nFrom CHECK-NOT: q\n'),
    "too few": (lambda f: f.check_count("a", 2), "a b",
                'Expected to find "a" but did not find it\nSearched string:\na b\nFrom CHECK-COUNT-2: a\n'),
    "too many": (lambda f: f.check_count("a", 1, True), "a b a",
                 'Expected to not find "a" but found it\na b a\n    ~ <--- HERE\nFrom CHECK-NOT: a\n'),
    "line between": (lambda f: f.check("a").check_next("b"), "a\nx\nb",
                     'Expected to not find "\\n" but found it\na\nx\nb\nFrom CHECK-NEXT: b\n'),
    "no line between": (lambda f: f.check("b").check_next("c"), "b c", 'Expected to find "\\n" but did not find it'),
    "other line": (lambda f: f.check("a").check_same("b"), "a\nb",
                   'Expected to not find "\\n" but found it\na\nb\nFrom CHECK-SAME: b\n'),
    "not highlighted": (lambda f: f.check_source_highlighted("b"), "a + b\n  ~", 'Expected to find "b"'),
    "not described": (lambda f: f.check_regex("a+b"), "xx", 'Expected to find regex "a+b" but did not find it'),
    "no demands": (lambda f: f, "xx", "No checks have been added to this instance ofFilecheck! Check for bad input."),
}


@pytest.mark.parametrize("name", HOLDS)
def test_a_text_holds(name):
    demand, text = HOLDS[name]
    demand(FileCheck()).run(text)


@pytest.mark.parametrize("name", FAILS)
def test_a_text_fails_and_it_is_said_why(name):
    demand, text, message = FAILS[name]
    with pytest.raises(RuntimeError) as error:
        demand(FileCheck()).run(text)
    assert message in str(error.value)


def test_demands_are_read_from_a_text():
    FileCheck().run("# CHECK: a\n# CHECK-NOT: q\n# CHECK-COUNT-2: b\nother", "a b b")
    with pytest.raises(RuntimeError, match="CHECK-NOT: q"):
        FileCheck().run("# CHECK-NOT: q", "a q")
    with pytest.raises(TypeError, match="incompatible function arguments"):
        FileCheck().check("a").run(3)


def test_demands_that_were_never_held_to_a_text_are_printed(capsys):
    FileCheck().check("a").check_count("b", 2).__del__()
    assert capsys.readouterr().out.startswith("You have not run this instance of FileCheck!\nFileCheck checks:\n"
                                              "\tCHECK: a\n\tCHECK-COUNT-2: b\n")
