"""Tensors that processes share: share_memory_(), queues, pools, spawn(); and that nothing is left behind."""

from __future__ import annotations

import multiprocessing as python_multiprocessing
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import mindtorch_v2 as torch
import mindtorch_v2.multiprocessing as mp
from mindtorch_v2.profiler import profile


def fill(tensor, value):
    tensor.fill_(value)


def fail(i, message):
    if i == 1:
        raise ValueError(message)


def end(i):
    os._exit(4) if i == 0 else None


def be_killed(i):
    os.kill(os.getpid(), signal.SIGKILL)


def in_child(function, *args, method="fork"):
    process = mp.get_context(method).Process(target=function, args=args)
    process.start()
    process.join(60)
    assert process.exitcode == 0


def written(source: str) -> str:
    """What a program prints."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(source)], text=True, capture_output=True, timeout=60,
                          check=True).stdout


class TestSharing:
    def test_all_views_move_along(self):
        whole = torch.arange(6.0)
        part, turned = whole[2:], whole.view(2, 3).t()
        assert not whole.is_shared()
        assert whole.share_memory_() is whole
        part[0] = 9
        assert whole.tolist() == [0, 1, 9, 3, 4, 5] and turned[2, 0] == 9
        assert part.is_shared() and turned.untyped_storage().is_shared() and part.data_ptr() == whole.data_ptr() + 8

    def test_child_writes_what_the_parent_reads(self):
        shared, own = torch.zeros(3).share_memory_(), torch.zeros(3)
        in_child(fill, shared, 5.0)
        in_child(fill, own, 5.0)
        assert shared.tolist() == [5, 5, 5] and own.tolist() == [0, 0, 0]

    @pytest.mark.slow
    @pytest.mark.parametrize("method", ["spawn", "forkserver"])
    def test_arguments_of_new_processes_are_shared(self, method):
        tensor = torch.zeros(3)
        in_child(fill, tensor, 5.0, method=method)
        assert tensor.tolist() == [5, 5, 5]

    def test_array_below_stays_behind(self):
        array = np.ones(3)
        tensor = torch.from_numpy(array)
        tensor.share_memory_()
        array[0] = 5
        assert tensor.tolist() == [1, 1, 1]

    def test_module_shares_its_parameters(self):
        layer = torch.nn.Linear(2, 2)
        weight = layer.weight
        assert layer.share_memory() is layer
        assert layer.weight is weight and weight.is_shared() and weight.requires_grad

    def test_shared_memory_does_not_grow(self):
        with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
            torch.ones(2).share_memory_().resize_(1000)

    def test_without_memory_on_the_cpu_there_is_nothing_to_share(self):
        with pytest.raises(RuntimeError, match="_share_fd_: only available on CPU"):
            torch.empty(2, device="meta").share_memory_()

    def test_empty_tensor_can_be_shared(self):
        assert torch.empty(0).share_memory_().is_shared()

    def test_profile_shows_what_pytorch_s_does(self):
        with profile(profile_memory=True) as prof:
            tensor = torch.ones(100)
            tensor.share_memory_()
            del tensor
        assert [(event.name, event.self_cpu_memory_usage) for event in prof.events()] == [
            ("aten::ones", 0), ("aten::empty", 400), ("aten::fill_", 0), ("[memory]", 400), ("aten::empty", 0),
            ("aten::set_", 0), ("aten::empty", 0), ("aten::set_", 0), ("aten::copy_", 0), ("[memory]", -400),
            ("[memory]", -400)]


class TestMessages:
    @pytest.mark.parametrize("library", [mp, python_multiprocessing], ids=["torch's", "Python's"])
    def test_queue_carries_tensors_that_stay_shared(self, library):
        queue, tensor = library.get_context("fork").SimpleQueue(), torch.zeros(4)
        queue.put((tensor, tensor[1:3]))
        received, part = queue.get()
        received += 1
        assert tensor.tolist() == [1, 1, 1, 1] and part.tolist() == [1, 1]
        assert part.untyped_storage()._cdata == received.untyped_storage()._cdata == tensor.untyped_storage()._cdata

    def test_python_s_queue_shares_where_torch_multiprocessing_was_never_imported(self):
        assert written("""
            import multiprocessing, mindtorch_v2 as torch
            queue, tensor = multiprocessing.SimpleQueue(), torch.zeros(2)
            queue.put(tensor)
            queue.get()[0] = 7
            print(tensor.tolist())
        """) == "[7.0, 0.0]\n"

    def test_parameters_and_storages_travel_too(self):
        queue = mp.SimpleQueue()
        weight = torch.nn.Parameter(torch.ones(2))
        queue.put((weight, weight.untyped_storage(), torch.ones(2, dtype=torch.bfloat16)))
        received, storage, half = queue.get()
        received.data[0] = 3
        assert isinstance(received, torch.nn.Parameter) and received.requires_grad and weight[0] == 3
        assert storage.data_ptr() == weight.data_ptr() and half.dtype is torch.bfloat16

    def test_tensor_with_history_is_refused(self):
        with pytest.raises(RuntimeError, match="^Cowardly refusing to serialize non-leaf tensor which requires_grad"):
            mp.SimpleQueue().put(torch.ones(1, requires_grad=True) * 2)

    def test_pool_returns_tensors(self):
        with mp.get_context("fork").Pool(1) as pool:
            assert pool.map(torch.ones, [2])[0].tolist() == [1, 1]

    def test_memory_goes_with_the_last_who_holds_it(self):
        queue, open_files = mp.SimpleQueue(), []
        for _ in range(5):
            queue.put(torch.ones(3))
            assert queue.get().tolist() == [1, 1, 1]
            open_files.append(len(os.listdir("/proc/self/fd")))
        assert len(set(open_files[1:])) == 1  # the first starts the thread that hands descriptors out

    def test_process_that_ends_leaves_its_named_files(self):
        assert written("""
            import os, mindtorch_v2 as torch, mindtorch_v2.multiprocessing as mp
            mp.set_sharing_strategy("file_system")
            def hold(tensor):
                global kept
                kept = [tensor, torch.ones(3).share_memory_()]
            shared = torch.ones(3).share_memory_()
            process = mp.get_context("fork").Process(target=hold, args=(shared,))
            process.start()
            process.join()
            pids = f"torch_{os.getpid()}_", f"torch_{process.pid}_"
            print(sum(name.startswith(pids) for name in os.listdir("/dev/shm")))
        """) == "1\n"

    def test_gradient_stays_behind_and_hooks_are_warned_of(self):
        queue, tensor = mp.SimpleQueue(), torch.ones(2, requires_grad=True)
        tensor._grad = torch.zeros(2)
        tensor.register_hook(lambda grad: grad)
        with pytest.warns(UserWarning, match="backward hook .* on tensor will not be serialized"):
            queue.put(tensor)
        received = queue.get()
        assert received.grad is None and received.requires_grad and tensor.grad is not None

    def test_named_file_of_a_killed_family_is_removed(self):
        name = written("""
            import os, signal, sys, mindtorch_v2 as torch, mindtorch_v2.multiprocessing as mp
            if os.fork() == 0:
                mp.set_sharing_strategy("file_system")
                kept = torch.ones(3).share_memory_()
                print([name for name in os.listdir("/dev/shm") if name.startswith(f"torch_{os.getpid()}_")][0])
                sys.stdout.flush()
                os.close(1)
                os.close(2)
                os.kill(os.getpid(), signal.SIGKILL)
            os.wait()
        """).strip()
        for _ in range(100):
            if not os.path.exists(f"/dev/shm/{name}"):
                return
            signal.sigtimedwait([], 0.05)
        raise AssertionError(f"{name} is still there")


class TestSpawn:
    def test_failure_of_one_is_raised_with_its_traceback(self):
        with pytest.raises(mp.ProcessRaisedException, match="(?s)-- Process 1 term.*ValueError: no") as caught:
            mp.start_processes(fail, ("no",), nprocs=2, start_method="fork")
        assert caught.value.error_index == 1 and caught.value.error_pid > 0

    def test_exit_codes_and_signals_are_told(self):
        with pytest.raises(mp.ProcessExitedException, match="^process 0 terminated with exit code 4$") as caught:
            mp.start_processes(end, nprocs=2, start_method="fork")
        assert caught.value.exit_code == 4
        with pytest.raises(mp.ProcessExitedException, match="^process 0 terminated with signal SIGKILL$") as caught:
            mp.start_processes(be_killed, start_method="fork")
        assert caught.value.signal_name == "SIGKILL"

    @pytest.mark.slow
    def test_spawned_processes_share_their_arguments(self):
        tensor = torch.zeros(2)
        assert mp.spawn(lend, (tensor,), nprocs=2) is None
        assert tensor.tolist() == [1, 2]

    def test_unknown_strategy_is_refused(self):
        with pytest.raises(AssertionError, match="^invalid sharing strategy 'x', expected one of"):
            mp.set_sharing_strategy("x")


def lend(i, tensor):
    tensor[i] = i + 1
