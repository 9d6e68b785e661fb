"""What PyTorch answers at the edges of everyday calls: others' arrays, empty tensors, lost histories."""

from __future__ import annotations

import copy
import operator
import subprocess
import sys
import warnings

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.utils.dlpack import to_dlpack

ARRAYS = {"numbers": np.array([1, 2, 4]), "one": np.array(2), "floats": np.array([1.0, 0.0, 3.0])}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_tensor_equals_an_array_element_by_element(name, is_first):
    x, array = torch.tensor([1, 2, 3]), ARRAYS[name]
    equal = operator.eq(*((x, array) if is_first else (array, x)))
    assert isinstance(equal, torch.Tensor) and equal.tolist() == (np.array([1, 2, 3]) == array).tolist()


@pytest.mark.parametrize("other", [np.array(["a"]), "a", None, [1, 2], object()])
def test_a_tensor_equals_nothing_that_holds_no_numbers(other):
    assert (torch.ones(1) == other) is False


def test_arrays_of_no_dimension_are_numbers_in_lists():
    assert torch.tensor(((7, np.array(5)), (np.array(9), 5.0))).tolist() == [[7.0, 5.0], [9.0, 5.0]]
    with pytest.raises(TypeError, match=r"len\(\) of unsized object"):
        torch.tensor([np.array(1.5), 2])


class Lender:
    """An array of another library."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


@pytest.mark.parametrize("make", [torch.tensor, torch.asarray, torch.as_tensor])
def test_arrays_of_other_libraries_are_taken_over(make):
    x = torch.tensor([1, 2, 3])
    taken = make(Lender(x))
    assert taken.tolist() == [1, 2, 3] and (taken.data_ptr() == x.data_ptr()) is (make is not torch.tensor)


def test_asarray_takes_a_capsule():
    x = torch.tensor([1, 2, 3])
    assert torch.asarray(to_dlpack(x)).data_ptr() == x.data_ptr()


def test_what_is_copied_may_be_read_only():
    array = np.zeros(3)
    array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.tensor(array)
        torch.asarray(array, copy=True)
    with pytest.warns(UserWarning, match="not writable"):
        torch.as_tensor(array)


def test_a_copy_of_a_sparse_tensor_has_its_gradient():
    x = torch.ones(2, 3).to_sparse().requires_grad_()
    torch.sparse.sum(x).backward()
    assert copy.deepcopy(x).grad.to_dense().tolist() == [[1.0] * 3] * 2


def test_nothing_is_drawn_from_no_rows():
    assert torch.multinomial(torch.empty(0, 3), 2).shape == (0, 2)


def test_nothing_is_copied_into_an_empty_tensor():
    index = torch.empty(0, dtype=torch.int64)
    assert torch.empty(0, 1, 2).index_copy_(0, index, torch.empty(0, 1, 2)).shape == (0, 1, 2)


@pytest.mark.parametrize(("args", "error", "text"), [
    ((-1,), RuntimeError, "Device index must not be negative"),
    ((0,), RuntimeError, "Cannot access accelerator device when none is available."),
    (("cpu", -1), RuntimeError, "Device index must not be negative"),
    (("not a device",), RuntimeError, "^Invalid device string: 'not a device'$"),
    (("cuda:01",), RuntimeError, "^Invalid device string: 'cuda:01'$"),
    (("cpu1",), RuntimeError, "^Invalid device string: 'cpu1'$"),
    (("cuda:",), RuntimeError, "^Invalid device string: 'cuda:'$"), (("",), RuntimeError, "must not be empty"),
    (("nope",), RuntimeError, "Expected one of cpu, cuda, .* device type at start of device string: nope"),
    (("cuda:1", 2), RuntimeError, "must not include an index because index was passed explicitly: cuda:1"),
    (("cpu", 1.0), TypeError, r"device\(\): argument 'index' \(position 2\) must be int, not float")])
def test_a_device_is_refused(args, error, text):
    with pytest.raises(error, match=text):
        torch.device(*args)


def test_a_tensor_without_values_is_formatted_as_it_prints():
    assert f"{torch.empty((), device='meta')}" == "tensor(..., device='meta', size=())"


@pytest.mark.parametrize(("shown", "name"), [
    (lambda x, storage: x.set_(storage), "float"), (lambda x, storage: x.set_(storage, 0, (2,)), "float"),
    (lambda x, storage: x.new(storage), "Float")])
def test_storages_of_other_types_are_refused(shown, name):
    with pytest.raises(RuntimeError, match=f"Expected a Storage of type {name} or an UntypedStorage, but got type "
                       "Double for argument 1 'storage'"):
        shown(torch.ones(2), torch.ones(2).double().storage())


def test_limits_of_a_type_are_equal():
    assert torch.finfo() == torch.finfo(torch.float32) != torch.finfo(torch.float64)


@pytest.mark.parametrize(("measure", "name"), [
    (lambda: torch.ones(1).var(), "var"), (lambda: torch.ones(3).std(correction=3), "std"),
    (lambda: torch.std_mean(torch.ones(1)), "std_mean"), (lambda: torch.var_mean(torch.ones(2, 1), dim=1), "var_mean")])
def test_measures_without_degrees_of_freedom_warn(measure, name):
    with pytest.warns(UserWarning, match=rf"^{name}\(\): degrees of freedom is <= 0. Correction should be strictly "
                      r"less than the reduction factor \(input numel divided by output numel\)\.$"):
        measure()


def test_set_default_tensor_type_warns():
    with pytest.warns(UserWarning, match="torch.set_default_tensor_type.. is deprecated as of PyTorch 2.1"):
        torch.set_default_tensor_type("torch.FloatTensor")


SCALARS = """
import warnings
import mindtorch_v2 as torch
x = torch.tensor(2.0, requires_grad=True)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    with torch.no_grad():
        float(x)
    int(x), bool(x), x.item(), f"{x:.1f}", float(x.detach())
    print(len(said))
    float(x), complex(x), float(x)
    print(len(said), str(said[0].message))
"""


def test_a_number_without_history_is_warned_of_once():
    printed = subprocess.run([sys.executable, "-c", SCALARS], capture_output=True, text=True, check=True).stdout
    assert printed == ("0\n1 Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                       "Consider using tensor.detach() first.\n")
