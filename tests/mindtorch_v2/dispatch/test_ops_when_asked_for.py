"""Ops are made of their declarations when they are first asked for; nobody can tell but by the clock."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.opdef import form, table


def in_a_new_process(program: str) -> str:
    program = f"import mindtorch_v2 as torch\n{program}"
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def test_most_ops_are_not_made_by_importing():
    made = in_a_new_process("from mindtorch_v2.opdef import table\n"
                            "declared = [d for of_name in table.OPS.declared.values() for d in of_name]\n"
                            "print(sum(d.made is not None for d in declared) / len(declared))")
    assert float(made) < 0.3


def test_a_function_and_a_method_are_one_object_each_however_often_they_are_asked_for():
    assert torch.hypot is torch.hypot
    assert torch.Tensor.hypot is torch.Tensor.hypot


def test_functions_are_listed_before_anybody_asks_for_one():
    assert in_a_new_process("print('hypot' in dir(torch), 'hypot' in dir(torch.Tensor), hasattr(torch, 'hypot_x'))") \
        == "True True False"


@pytest.mark.parametrize("name", ["torch.hypot", "torch.Tensor.hypot", "torch.nn.functional.bilinear"])
def test_a_pickled_function_is_found_in_a_process_that_has_not_used_it(name):
    pickled = pickle.dumps(eval(name))
    assert in_a_new_process(f"import pickle\nprint(pickle.loads({pickled!r}) is {name})") == "True"


def test_a_method_that_a_program_replaced_before_its_first_use_stays_replaced():
    assert in_a_new_process("torch.Tensor.hypot = lambda self: 'mine'\n"
                            "torch.hypot(torch.ones(1), torch.ones(1))\nprint(torch.ones(1).hypot())") == "mine"


def test_result_types_are_listed_whether_or_not_their_ops_were_made():
    assert in_a_new_process("from mindtorch_v2.return_types import *\n"
                            "print(svd.__name__, len(torch.return_types.all_return_types) > 70)") == "svd True"


def test_threads_that_ask_for_an_op_at_once_get_the_same_one():
    declaration = form.declare("_asked_for_at_once(Tensor self) -> Tensor", "A test's own.", body=lambda self: self)
    try:
        with ThreadPoolExecutor(8) as threads:
            ops = list(threads.map(lambda _: table.OPS["_asked_for_at_once"], range(64)))
        assert all(len(overloads) == 1 and overloads[0] is declaration.op for overloads in ops)
    finally:
        table.OPS.remove(declaration.op)


def test_an_overload_that_is_declared_after_the_others_were_made_joins_them():
    first = form.declare("_declared_late(Tensor self) -> Tensor", "A test's own.", body=lambda self: self)
    try:
        assert table.OPS["_declared_late"] == [first.op]
        second = form.declare("_declared_late.other(Tensor self, int n) -> Tensor", "A test's own.",
                              body=lambda self, n: self)
        assert table.OPS["_declared_late"] == [first.op, second.op]
    finally:
        for declaration in list(table.OPS.declared["_declared_late"]):
            table.OPS.remove(declaration.op)
