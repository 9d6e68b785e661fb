"""torch.save and torch.load as a user calls them: paths, file objects, places, mapped files, options."""

from __future__ import annotations

import copy
import gzip
import io
import mmap
import os
import pathlib
import pickle
import stat
import subprocess
import sys
import tarfile
import zipfile

import pytest

import mindtorch_v2 as torch

from . import hostile_files


def saved(obj, **how) -> bytes:
    file = io.BytesIO()
    torch.save(obj, file, **how)
    return file.getvalue()


def reloaded(obj, **how):
    return torch.load(io.BytesIO(saved(obj)), **how)


class Tagged(torch.Tensor):
    """A user's own class of tensors."""


class Stateful(torch.Tensor):
    """One that says itself what is kept of it."""

    def __getstate__(self):
        return {"kept": self.seen}

    def __setstate__(self, state):
        self.seen = state["kept"] + 1


class Net(torch.nn.Module):
    """A user's own module."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)
        self.register_buffer("count", torch.zeros(1))
        self.linear.register_forward_hook(seen)


def seen(module, args, output):
    return output + 1


@pytest.mark.parametrize("kind", [str, pathlib.Path])
def test_a_path_names_the_folder_in_the_archive(tmp_path, kind):
    path = kind(tmp_path / "model.best.pt")
    torch.save(torch.ones(2), path)
    assert zipfile.ZipFile(path).namelist()[0] == "model.best/data.pkl"
    assert torch.load(path).tolist() == [1, 1]


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path):
    path = tmp_path / "a.pt"
    torch.save(torch.ones(2), path)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        torch.save({"a": torch.zeros(2), "b": lambda: None}, path)
    assert torch.load(path).tolist() == [1, 1]
    assert os.listdir(tmp_path) == ["a.pt"]


def test_a_saved_file_has_the_rights_of_any_new_one_or_those_it_had(tmp_path):
    path, plain = tmp_path / "a.pt", tmp_path / "plain"
    plain.touch()
    torch.save(1, path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    torch.save(2, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link_to_the_saved_file(tmp_path):
    (tmp_path / "target.pt").touch()
    (tmp_path / "link.pt").symlink_to(tmp_path / "target.pt")
    torch.save(3, tmp_path / "link.pt")
    assert (tmp_path / "link.pt").is_symlink()
    assert torch.load(tmp_path / "target.pt") == 3


def test_a_device_file_is_written_to():
    torch.save(torch.ones(3), os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_paths_that_cannot_be_written_are_named(tmp_path):
    with pytest.raises(RuntimeError, match=f"Parent directory {tmp_path}/none does not exist."):
        torch.save(1, tmp_path / "none" / "a.pt")
    with pytest.raises(RuntimeError, match="Is a directory"):
        torch.save(1, tmp_path)
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "none.pt")
    with pytest.raises(AttributeError, match="expected 'f' to be string, path, or a file-like object"):
        torch.save(1, 5)
    with pytest.raises(AttributeError, match="You can only torch.load from a file that is seekable"):
        torch.load(5)


@pytest.mark.parametrize("is_zip", [True, False])
def test_file_objects_are_read_and_written_where_they_stand(tmp_path, is_zip):
    with open(tmp_path / "a", "wb") as file:
        file.write(b"head")
        torch.save(torch.ones(2), file, _use_new_zipfile_serialization=is_zip)
    with open(tmp_path / "a", "rb") as file:
        assert file.read(4) == b"head"
        assert torch.load(file).tolist() == [1, 1]
    with gzip.open(tmp_path / "b", "wb") as file:
        torch.save(torch.ones(2), file, _use_new_zipfile_serialization=is_zip)
    with gzip.open(tmp_path / "b") as file:
        assert torch.load(file).tolist() == [1, 1]


def test_objects_of_the_older_format_follow_each_other_in_one_file():
    file = io.BytesIO()
    for number in range(3):
        torch.save(torch.tensor([number]), file, _use_new_zipfile_serialization=False)
    file.seek(0)
    assert [torch.load(file).item() for _ in range(3)] == [0, 1, 2]


def test_a_mapped_tensor_lies_in_the_file(tmp_path):
    path = tmp_path / "a.pt"
    torch.save({"a": torch.arange(1000.0), "b": torch.ones(3)}, path)
    private = torch.load(path, mmap=True)
    private["a"][0] = 7
    assert torch.load(path)["a"][0] == 0
    with torch.serialization.set_default_mmap_options(mmap.MAP_SHARED):
        assert torch.serialization.get_default_mmap_options() == mmap.MAP_SHARED
        shared = torch.load(path, mmap=True)
        shared["b"][1] = 9
    assert torch.serialization.get_default_mmap_options() == mmap.MAP_PRIVATE
    with pytest.raises(RuntimeError, match="CRC-32"):
        torch.load(path)
    assert torch.load(path, mmap=True)["b"].tolist() == [1, 9, 1]
    assert shared["a"].untyped_storage().data_ptr() % 64 == 0
    with pytest.raises(ValueError, match="expected mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got 77"):
        torch.serialization.set_default_mmap_options(77)


def test_older_files_cannot_be_mapped(tmp_path):
    torch.save(1, tmp_path / "a.pt", _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match="mmap can only be used with files saved with"):
        torch.load(tmp_path / "a.pt", mmap=True)


@pytest.mark.parametrize("place", ["meta", torch.device("meta"), {"cpu": "meta"}])
@pytest.mark.parametrize("is_zip", [True, False])
def test_storages_go_where_map_location_says(place, is_zip):
    content = saved(torch.ones(2, 3), _use_new_zipfile_serialization=is_zip)
    loaded = torch.load(io.BytesIO(content), map_location=place)
    assert (loaded.device.type, loaded.shape) == ("meta", (2, 3))


def test_map_location_may_be_a_function_of_storage_and_place():
    asked = []

    def keep(storage, location):
        asked.append((type(storage), location))
        return storage if len(asked) == 1 else None

    assert [t.tolist() for t in reloaded([torch.ones(1), torch.zeros(1)], map_location=keep)] == [[1], [0]]
    assert asked == [(torch.UntypedStorage, "cpu")] * 2


def test_a_package_can_tag_and_restore_storages():
    from mindtorch_v2.serialization import _package_registry, register_package
    package = (5, lambda storage: "attic", lambda storage, place: storage.fill_(0) if place == "attic" else None)
    register_package(*package)
    try:
        content = saved(torch.ones(2))
        assert b"attic" in content
        assert torch.load(io.BytesIO(content)).tolist() == [0, 0]
    finally:
        _package_registry.remove(package)
    with pytest.raises(RuntimeError, match=r"don't know how to restore data location of torch.storage.UntypedStorage "
                                           r"\(tagged with attic\)"):
        torch.load(io.BytesIO(content))


def test_skipped_data_leaves_room_for_it():
    with torch.serialization.skip_data():
        content = saved({"a": torch.ones(3)})
        with pytest.raises(RuntimeError, match="Cannot use skip_data=True"):
            saved(1, _use_new_zipfile_serialization=False)
    assert len(content) == len(saved({"a": torch.ones(3)}))
    assert torch.load(io.BytesIO(content))["a"].tolist() == [0, 0, 0]
    with torch.serialization.skip_data():
        assert torch.load(io.BytesIO(saved(torch.ones(3)))).shape == (3,)


def test_one_memory_seen_as_two_types_is_refused():
    x = torch.ones(2)
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        saved([x, x.view(torch.int32)])


def test_the_byte_order_of_files_that_do_not_tell_can_be_set():
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(torch.ones(1)))) as whole, zipfile.ZipFile(content, "w") as silent:
        for name in whole.namelist():
            if not name.endswith("byteorder"):
                silent.writestr(name, whole.read(name))
    order = torch.serialization.LoadEndianness
    try:
        for kind, expected in ((None, 1), (order.NATIVE, 1), (order.LITTLE, 1), (order.BIG, 4.600602988224807e-41)):
            torch.serialization.set_default_load_endianness(kind)
            assert torch.serialization.get_default_load_endianness() is kind
            content.seek(0)
            assert torch.load(content).item() == expected
    finally:
        torch.serialization.set_default_load_endianness(None)
    with pytest.raises(TypeError, match="Invalid argument type in function set_default_load_endianness"):
        torch.serialization.set_default_load_endianness("big")


def copies_of(obj) -> list:
    """All the ways in which a program keeps a copy of an object."""
    return [reloaded(obj, weights_only=False), pickle.loads(pickle.dumps(obj)), copy.deepcopy(obj),
            torch.load(io.BytesIO(saved(obj, _use_new_zipfile_serialization=False)), weights_only=False)]


def test_tensors_of_a_user_s_class_keep_class_and_attributes():
    tensor = torch.ones(2).as_subclass(Tagged)
    tensor.name_of_it = "x"
    for made in copies_of(tensor):
        assert (type(made), made.name_of_it, made.tolist()) == (Tagged, "x", [1, 1])
    stateful = torch.ones(2).as_subclass(Stateful)
    stateful.seen = 1
    assert reloaded(stateful, weights_only=False).seen == 2
    with torch.serialization.safe_globals([Tagged]):
        assert type(reloaded(tensor)) is Tagged


@pytest.mark.filterwarnings("ignore:Couldn't retrieve source")
def test_modules_keep_parameters_buffers_and_hooks():
    net = Net().eval()
    x = torch.ones(1, 2)
    for made in copies_of(net):
        assert type(made) is Net and not made.training
        assert made.linear(x).tolist() == net.linear(x).tolist()
        assert [*made.state_dict()] == [*net.state_dict()]


def test_optimizers_and_schedulers_go_on_where_they_were():
    net = torch.nn.Linear(2, 1)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    net(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    scheduler.step()
    for made in copies_of({"net": net, "optimizer": optimizer, "scheduler": scheduler}):
        assert made["optimizer"].param_groups[0]["params"][0] is made["net"].weight
        assert made["scheduler"].optimizer is made["optimizer"]
        assert made["optimizer"].state[made["net"].weight]["step"].item() == 1
        assert made["scheduler"].get_last_lr() == scheduler.get_last_lr()


def test_hooks_on_tensors_are_left_behind_with_a_warning():
    x = torch.ones(2, requires_grad=True)
    x.register_hook(seen)
    with pytest.warns(UserWarning, match="on tensor will not be serialized"):
        assert reloaded(x).requires_grad


def test_a_file_saved_in_one_process_loads_in_another(tmp_path):
    torch.save(torch.nn.Linear(2, 2).state_dict(), tmp_path / "a.pt")
    program = (f"import mindtorch_v2 as torch, sys; print(sorted(torch.load(r'{tmp_path / 'a.pt'}'))); "
               "assert 'torch' not in sys.modules")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "['bias', 'weight']", done.stderr


def test_what_pytorch_pickled_is_unpickled_by_torch_s_names(tmp_path):
    pickled = (b"\x80\x02ctorch.storage\n_load_from_bytes\nq\x00." , b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n.",
               b"\x80\x02ctorch._tensor\n_rebuild_from_type_v2\n.", b"\x80\x02ctorch.nn.modules.activation\nReLU\n.")
    program = ("import mindtorch_v2, pickle; mindtorch_v2.install_as_torch(); "
               f"print([pickle.loads(content).__name__ for content in {pickled!r}])")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "['_load_from_bytes', '_rebuild_tensor_v2', '_rebuild_from_type_v2', 'ReLU']", \
        done.stderr


def test_functions_that_pytorch_pickles_as_members_of_a_class_are_found():
    pickled = b"\x80\x02c__builtin__\ngetattr\nctorch._C\n_VariableFunctionsClass\nX\x04\x00\x00\x00relu\x86R."
    assert torch.load(io.BytesIO(hostile_files.checkpoint(pickled)), weights_only=False) is torch.relu
    assert reloaded(torch.relu, weights_only=False) is torch.relu


def test_defaults_can_be_set_for_all_calls(tmp_path):
    from mindtorch_v2.utils.serialization import config
    torch.save(torch.ones(2), tmp_path / "a.pt")
    try:
        config.load.mmap, config.save.storage_alignment = True, 4096
        torch.load(tmp_path / "a.pt").fill_(2)
        content = saved(torch.ones(2))
    finally:
        config.load.mmap, config.save.storage_alignment = False, 64
    assert torch.load(tmp_path / "a.pt").tolist() == [1, 1]
    assert torch._C.PyTorchFileReader(io.BytesIO(content)).get_record_offset("data/0") % 4096 == 0
    assert torch.load(io.BytesIO(content)).tolist() == [1, 1]


def test_records_are_aligned_for_mapping():
    reader = torch._C.PyTorchFileReader(io.BytesIO(saved([torch.ones(5), torch.zeros(70)])))
    assert reader.get_all_records() == ["data.pkl", ".format_version", ".storage_alignment", "byteorder", "data/0",
                                        "data/1", "version", ".data/serialization_id"]
    for name in reader.get_all_records():
        assert reader.get_record_offset(name) % 64 == 0
        assert reader.get_record_offset(name) == reader.get_record_offset_no_read(
            reader.get_record_header_offset(name), name, reader.get_record_size(name), 64)
    assert reader.get_record("version") == b"3\n"
    assert reader.get_storage_from_record("data/0", 5, torch.float32).tolist() == [1] * 5
    with pytest.raises(RuntimeError, match="failed locating file none: file not found"):
        reader.get_record("none")


def test_an_archive_is_written_record_by_record(tmp_path):
    writer = torch._C.PyTorchFileWriter(str(tmp_path / "box.pt"))
    writer.write_record("a", b"hello", 5)
    writer.write_record("b", torch.arange(3).untyped_storage(), 24)
    with pytest.raises(RuntimeError, match="Tried to serialize file twice: a"):
        writer.write_record("a", b"again", 5)
    writer.write_end_of_file()
    reader = torch._C.PyTorchFileReader(str(tmp_path / "box.pt"))
    assert (writer.archive_name(), reader.get_record("a")) == ("box", b"hello")
    assert reader.serialization_id() == reader.get_record(".data/serialization_id").decode()
    assert zipfile.ZipFile(tmp_path / "box.pt").testzip() is None


def test_another_pickle_module_writes_and_reads_in_its_own_way():
    class Module:
        __name__ = "mine"
        Pickler, Unpickler, dump, load = pickle.Pickler, pickle.Unpickler, pickle.dump, pickle.load

    content = saved({"a": torch.ones(2)}, pickle_module=Module)
    assert torch.load(io.BytesIO(content), pickle_module=Module)["a"].tolist() == [1, 1]


def test_files_that_are_not_read_say_what_they_are():
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("storages"), io.BytesIO())
    with pytest.raises(RuntimeError, match="tar archive, as PyTorch before 0.1.12 wrote them"):
        torch.load(io.BytesIO(tar.getvalue()), weights_only=False)
    script = hostile_files.checkpoint(b"\x80\x02K\x01.", **{"constants.pkl": b""})
    with pytest.raises(RuntimeError, match="TorchScript archive"), pytest.warns(UserWarning, match="TorchScript"):
        torch.load(io.BytesIO(script), weights_only=False)
    quantized = b"\x80\x02ctorch._utils\n_rebuild_qtensor\n(NNtR."
    with pytest.raises(NotImplementedError, match="quantized"):
        torch.load(io.BytesIO(hostile_files.checkpoint(quantized)))
