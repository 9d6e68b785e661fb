"""torch.library.Library: ops of the user's own under their own names, and torch's ops with other kernels."""

from __future__ import annotations

import gc

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.library import _scoped_library, define, fallthrough_kernel, impl
from mindtorch_v2.profiler import _ExperimentalConfig, profile
from mindtorch_v2.utils._python_dispatch import TorchDispatchMode


@pytest.fixture
def lib():
    with _scoped_library("testlib", "DEF") as library:
        yield library


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def test_a_defined_op_is_called_by_its_full_name(lib):
    assert lib.define("scale(Tensor x, float by=2.0, *, bool twice=False) -> Tensor") == "scale"
    lib.impl("scale", lambda x, by=2.0, twice=False: x * by * (2 if twice else 1), "CPU")
    scale = torch.ops.testlib.scale
    assert scale(torch.ones(1)).item() == 2 and scale.default(torch.ones(1), 3.0, twice=True).item() == 6
    assert (str(scale), str(scale.default), scale.default.name()) == (
        "testlib.scale", "testlib.scale.default", "testlib::scale")
    assert scale.default._schema.name == "testlib::scale"


def test_overloads_are_told_apart_by_their_arguments(lib):
    lib.define("join(Tensor x) -> Tensor")
    lib.impl("join", lambda x: x, "CPU")
    assert torch.ops.testlib.join.overloads() == ["default"]
    lib.define("join.two(Tensor x, Tensor y) -> Tensor")
    lib.impl("join.two", lambda x, y: x + y, "CPU")
    assert torch.ops.testlib.join.overloads() == ["default", "two"]
    assert torch.ops.testlib.join(torch.ones(1), torch.ones(1)).item() == 2


def test_a_function_is_given_what_the_caller_said_and_no_defaults(lib):
    lib.define("f(Tensor x, int n=3, *, str how='a') -> Tensor")
    seen = []

    def f(*args, **kwargs):
        seen.append((len(args), kwargs))
        return torch.zeros(1)

    lib.impl("f", f, "CPU")
    torch.ops.testlib.f(torch.ones(1))
    torch.ops.testlib.f(torch.ones(1), 4, how="b")
    assert seen == [(1, {}), (2, {"how": "b"})]


@pytest.mark.parametrize(("call", "text"), [
    (lambda op: op(), "testlib::f() is missing value for argument 'x'. Declaration: testlib::f(Tensor x) -> Tensor"),
    (lambda op: op(torch.ones(1), 2), "testlib::f() expected at most 1 argument(s) but received 2 argument(s)."),
    (lambda op: op("a"), "testlib::f() Expected a value of type 'Tensor' for argument 'x' but instead found type"),
    (lambda op: op(y=1), "Unknown keyword argument 'y' for operator 'testlib::f'")])
def test_arguments_that_do_not_fit_are_refused(lib, call, text):
    lib.define("f(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError) as refused:
        call(torch.ops.testlib.f)
    assert str(refused.value).startswith(text)


def test_the_profile_shows_an_op_under_its_name_with_what_it_runs(lib):
    lib.define("seen(Tensor x) -> Tensor")
    lib.impl("seen", lambda x: x + 1, "CPU")
    with profile(record_shapes=True) as prof:
        torch.ops.testlib.seen(torch.ones(3))
    event = next(e for e in prof.events() if e.name == "testlib::seen")
    assert [child.name for child in event.cpu_children] == ["aten::add"] and event.input_shapes == [[3]]


def test_autograd_sees_through_a_composition(lib):
    lib.define("both(Tensor x) -> Tensor")
    lib.impl("both", lambda x: x * x, "CompositeImplicitAutograd")
    x = leaf(3.0)
    torch.ops.testlib.both(x).backward()
    assert x.grad.item() == 6


def test_an_autograd_kernel_answers_before_that_of_the_device(lib):
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    lib.impl("f", lambda x: x * 5, "Autograd")
    x = leaf(1.0)
    torch.ops.testlib.f(x).backward()
    assert x.grad.item() == 5


def test_going_back_through_a_kernel_alone_warns_and_gives_no_gradient(lib):
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    x = leaf(1.0)
    result = torch.ops.testlib.f(x)
    assert result.requires_grad
    with pytest.warns(UserWarning, match="testlib::f: an autograd kernel was not registered"):
        result.backward()
    assert x.grad is None


def test_a_mode_is_shown_the_op_as_a_whole(lib):
    class Names(TorchDispatchMode):
        names = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.names.append(func.name())
            return func(*args, **(kwargs or {}))

    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    with Names() as mode:
        torch.ops.testlib.f(torch.ones(1))
    assert mode.names == ["aten::ones", "testlib::f"]


def test_without_a_function_an_op_cannot_run(lib):
    lib.define("f(Tensor x) -> Tensor")
    with pytest.raises(NotImplementedError, match="Could not run 'testlib::f' with arguments from the 'CPU' backend"):
        torch.ops.testlib.f(torch.ones(1))


@pytest.mark.parametrize(("wrong", "error", "text"), [
    (lambda lib: lib.define("f(Tensor x) -> Tensor"), RuntimeError, "with the same name and overload name multiple"),
    (lambda lib: lib.define("no schema"), RuntimeError, "cannot read the schema"),
    (lambda lib: lib.impl("f", 5, "CPU"), TypeError, "required to be a callable but found type <class 'int'>"),
    (lambda lib: lib.impl("f", max, "Nope"), RuntimeError, "could not parse dispatch key: Nope"),
    (lambda lib: lib.impl("g", max, "CPU"), RuntimeError, "there is no operator testlib::g"),
    (lambda lib: torch.library.Library("testlib", "DEF"), RuntimeError, "Only a single TORCH_LIBRARY can be used"),
    (lambda lib: torch.library.Library("prim", "DEF"), ValueError, "prim is a reserved namespace"),
    (lambda lib: torch.library.Library("x", "FOO"), ValueError, "Unsupported kind: FOO")])
def test_what_makes_no_sense_is_refused(lib, wrong, error, text):
    lib.define("f(Tensor x) -> Tensor")
    with pytest.raises(error, match=text):
        wrong(lib)


def test_definitions_go_with_their_library():
    library = torch.library.Library("passing", "DEF")
    library.define("f(Tensor x) -> Tensor")
    assert torch.ops.passing.f.overloads() == ["default"]
    del library
    gc.collect()
    assert not hasattr(torch.ops.passing, "f")
    torch.library.Library("passing", "DEF")._destroy()


def test_functions_define_and_implement_by_full_names():
    define("testfree::double", "(Tensor x) -> Tensor")

    @impl("testfree::double", "cpu")
    def double(x):
        return x * 2

    assert torch.ops.testfree.double(torch.ones(1)).item() == 2


def test_an_op_of_torch_s_can_have_another_kernel_for_a_while():
    x = leaf(1.0)
    with _scoped_library("aten", "IMPL") as library:
        library.impl("add.Tensor", lambda a, b, alpha=1: torch.full((1,), 7.0), "CPU")
        result = x + torch.ones(1)
        assert result.item() == 7 and result.grad_fn.name() == "AddBackward0"
    assert (x + torch.ones(1)).item() == 2


def test_an_op_whose_kernel_is_passed_over_fills_room_it_makes():
    with _scoped_library("aten", "IMPL") as library:
        library.impl("add.Tensor", fallthrough_kernel, "CPU")
        with profile(experimental_config=_ExperimentalConfig(capture_overload_names=True)) as prof:
            assert (torch.ones(2) + torch.ones(2)).tolist() == [2.0, 2.0]
    add = next(e for e in prof.events() if (e.name, e.overload_name) == ("aten::add", "Tensor"))
    assert [(child.name, child.overload_name) for child in add.cpu_children] == [
        ("aten::empty", "memory_format"), ("aten::add", "out")]


def test_ranges_can_be_begun_and_ended_as_ops():
    with profile() as prof:
        handle = torch.ops.profiler._record_function_enter("mine", None)
        torch.ones(1)
        torch.ops.profiler._record_function_exit(handle)
        torch.zeros(1)
    mine, zeros = [e for e in prof.events() if e.cpu_parent is None]
    assert (mine.name, [c.name for c in mine.cpu_children], zeros.name) == ("mine", ["aten::ones"], "aten::zeros")
    with pytest.raises(RuntimeError, match="wants what _record_function_enter"):
        torch.ops.profiler._record_function_exit(3)
