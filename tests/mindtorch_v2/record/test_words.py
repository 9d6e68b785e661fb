"""Words of recordings: numbers that are never mistaken, and words that go when nobody needs them."""

from __future__ import annotations

import gc
import itertools

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import names as module
from mindtorch_v2.record import watch
from mindtorch_v2.record.names import FEW, Names, Words, inputs, names

MANY = 5 * FEW
X = torch.ones(2)


def test_equal_words_share_a_number_and_others_do_not():
    words = Words()
    assert words.number("a") == words.number("a") != words.number("b")


def test_taken_words_are_left_alone_and_the_next_ones_have_other_numbers():
    words = Words()
    first = words.number("a")
    taken = words.take()
    second = words.number("a")
    assert (taken, words.take()) == ({first: "a"}, {second: "a"}) and first != second


def test_a_word_without_rows_is_given_to_nobody_and_then_forgotten():
    words = Words()
    used, unused = words.number("used"), words.number("unused")
    assert words.forget({used}, 0) == {} and words.number("unused") != unused
    assert words.copy([unused]) == {unused: "unused"}  # a thread may be about to write it into a row
    assert words.forget({used}, 0) == {unused: "unused"} and words.number("used") == used


def test_a_number_that_was_given_before_it_was_retired_may_still_come_into_a_row():
    words = Words()
    late = words.number("late")
    words.forget(set(), 0)
    assert words.forget({late}, 0) == {} and words.copy([late]) == {late: "late"}


def test_numbers_begin_anew_when_there_are_no_more_and_none_in_use_is_given_again(monkeypatch):
    words = Words()
    first = words.number("first")
    monkeypatch.setattr(words, "_next", itertools.count(module.END - 1))
    assert [words.number(word) for word in "abc"] == [module.END - 1, first + 1, first + 2]


def test_declared_names_stay_and_keep_their_overload():
    declared = Names()
    number = declared.declare("aten::add", "Tensor")
    declared.take()
    assert declared.declare("aten::add", "Tensor") == number and declared.declared[number] == ("aten::add", "Tensor")


def ranges(n: int) -> None:
    for i in range(n):
        with record_function(f"range {i}"):
            X.fill_(float(i))


def test_words_go_with_the_last_profile_that_shows_them():
    with profile(record_shapes=True):
        ranges(100)
        assert (len(names), len(inputs)) == (100, 100)
    assert (len(names), len(inputs)) == (0, 0)


@pytest.mark.parametrize("overflow", ["newest", "first", "spill"])
def test_words_of_an_endless_profile_are_bounded_by_its_limit(overflow):
    with profile(record_shapes=True, max_events=100, overflow=overflow):
        ranges(MANY)
        assert len(names) < 3 * FEW and len(inputs) < 3 * FEW


def test_the_newest_events_have_their_names_and_inputs_after_many_others():
    with profile(record_shapes=True, max_events=100) as prof:
        ranges(MANY)
    shown = [(e.name, e.concrete_inputs) for e in prof.events()]
    assert shown[-2:] == [(f"range {MANY - 1}", []), ("aten::fill_", [None, float(MANY - 1)])]
    assert len(shown) == 100 and {name.split()[0] for name, _ in shown} == {"range", "aten::fill_"}


def test_a_name_that_comes_again_and_again_is_right_each_time():
    with profile(max_events=100) as prof:
        for i in range(MANY):
            for name in ("again", f"range {i}"):
                with record_function(name):
                    pass
    assert [e.name for e in prof.events()] == [
        name for i in range(MANY - 50, MANY) for name in ("again", f"range {i}")]


def test_words_of_spilled_events_are_on_disk_beside_them():
    with profile(record_shapes=True, max_events=100, overflow="spill") as prof:
        ranges(MANY)
        halfway = [e.name for e in prof.events()]
    shown = [(e.name, e.concrete_inputs) for e in prof.events()]
    assert [name for name, _ in shown] == halfway
    assert shown[::2] == [(f"range {i}", []) for i in range(MANY)]
    assert shown[1::2] == [("aten::fill_", [None, float(i)]) for i in range(MANY)]


def test_a_function_is_never_shown_by_the_name_of_one_that_was_there_before():
    with profile(with_stack=True, max_events=1000) as prof:
        for i in range(2 * FEW):
            scope = {"record_function": record_function}
            exec(f"def f{i}():\n    with record_function('in f{i}'): pass\nf{i}()", scope)
    shown = [(e.name, e.stack[0]) for e in prof.events() if e.name.startswith("in f")]
    assert len(shown) > 50 and all(stack.endswith(name.replace("in f", ": f")) for name, stack in shown)


def test_code_that_is_gone_is_not_kept_for_the_length_of_a_profile():
    import weakref

    with profile(with_stack=True, max_events=100):
        scope: dict = {}
        exec("def first(): pass\nfirst()", scope)
        code = weakref.ref(scope.pop("first").__code__)
        for i in range(2 * FEW):
            exec(f"def f{i}(): pass\nf{i}()", {})
        gc.collect()
        assert code() is None


def test_modules_that_are_gone_are_forgotten():
    x = torch.ones(2, 2)
    with profile(with_stack=True, max_events=100):
        for _ in range(2 * FEW):
            torch.nn.Identity()(x)
        gc.collect()
        assert len(watch.state.modules._named) < 10 and len(watch.state.objects.modules) < 3 * FEW
