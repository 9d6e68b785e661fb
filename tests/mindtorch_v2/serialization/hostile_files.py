"""Files that load() must refuse, by name: pickles that call functions, archives that are damaged or lie."""

from __future__ import annotations

import collections
import io
import pickle
import zipfile

WITHOUT_CARE = {"weights_only": False}


class Calls:
    """Pickled as a call of any function."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


def archive(records: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file of records."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        for name, content in records.items():
            made.writestr(name, content)
    return file.getvalue()


def checkpoint(pickled: bytes, version: bytes = b"3\n", **records: bytes) -> bytes:
    """A file with a pickle in it."""
    return archive({"archive/data.pkl": pickled, "archive/version": version,
                    **{f"archive/{name}": content for name, content in records.items()}})


def changed(good: bytes, old: bytes, new: bytes) -> bytes:
    """The same file with other words in its records, and checksums that agree."""
    with zipfile.ZipFile(io.BytesIO(good)) as made:
        return archive({name.replace(old.decode("latin-1"), new.decode("latin-1")): made.read(name).replace(old, new)
                        for name in made.namelist()})


def archive_without(good: bytes, lost: str) -> bytes:
    """The same file without one of its records."""
    with zipfile.ZipFile(io.BytesIO(good)) as made:
        return archive({name: made.read(name) for name in made.namelist() if name != lost})


def pickles() -> dict[str, bytes]:
    """Pickles that do something else than to describe tensors."""
    globals_ = {"eval": "builtins\neval", "os.system": "os\nsystem", "posix.system": "posix\nsystem",
                "getattr": "__builtin__\ngetattr", "subprocess": "subprocess\nPopen", "sys": "sys\nexit",
                "unknown": "torch\nnothing_of_that_name", "module": "torch.nn.modules.linear\nLinear"}
    calls = {name: b"\x80\x02c" + path.encode() + b"\n(X\x04\x00\x00\x00ls .tR." for name, path in globals_.items()}
    return calls | {
        "reduce": pickle.dumps(Calls(print, "ran"), 2),
        "nested": pickle.dumps({"state": [collections.OrderedDict(a=Calls(print, "ran"))]}, 2),
        "protocol 4": pickle.dumps({"a": 1}, 4),
        "protocol 0": pickle.dumps({"a": [1]}, 0),
        "append to a dict": b"\x80\x02}K\x01a.",
        "extend a tuple": b"\x80\x02)(K\x01e.",
        "set in a list": b"\x80\x02]K\x01K\x02s.",
        "call of a number": b"\x80\x02K\x01)R.",
        "new of a number": b"\x80\x02K\x01)\x81.",
        "build of a number": b"\x80\x02K\x01}b.",
        "call of what was read": b"\x80\x02X\x04\x00\x00\x00evil)R.",
        "persistent list": b"\x80\x02]Q.",
        "persistent text": b"\x80\x02X\x04\x00\x00\x00evil\x85Q.",
        "unknown opcode": b"\x80\x02\xff.",
    }


def files(good: bytes) -> dict[str, tuple[bytes, dict]]:
    """All of them, and how they are loaded; ``good`` is a file of torch.ones(3)."""
    made = {f"pickle: {name}": (checkpoint(content), {}) for name, content in pickles().items()}
    made |= {f"version {version!r}": (checkpoint(b"\x80\x02K\x01.", version), {})
             for version in (b"3\n", b"1", b"10")}
    made |= {
        "cut in the middle": (good[:len(good) // 2], {}),
        "cut at the end": (good[:-10], {}),
        "compressed": (archive({"a/data.pkl": b"\x80\x02K\x01.", "a/version": b"3"}, zipfile.ZIP_DEFLATED), {}),
        "no pickle": (archive({"a/version": b"3"}), {}),
        "no version": (archive({"a/data.pkl": b"\x80\x02K\x01."}), {}),
        "TorchScript": (checkpoint(b"\x80\x02K\x01.", **{"constants.pkl": b""}), {}),
        "no storage": (archive_without(good, "archive/data/0"), {}),
        "storage too small": (changed(good, b"cpuq\x04K\x03", b"cpuq\x04K\x05"), {}),
        "storage too large": (changed(good, b"cpuq\x04K\x03", b"cpuq\x04K\x01"), {}),
        "unknown place": (changed(good, b"cpu", b"cpx"), {}),
        "unknown byte order": (changed(good, b"little", b"lattle"), {}),
        "other persistent kind": (changed(good, b"storageq", b"storogoq"), {}),
        "on a device that is not there": (good, {"map_location": "cuda:0"}),
        "on an unknown device": (good, {"map_location": "foo"}),
        "with a pickle module": (good, {"weights_only": True, "pickle_module": pickle}),
        "mapped from memory": (good, {"mmap": True}),
        "nothing": (b"", {}),
        "text": (b"hello world", WITHOUT_CARE),
        "a pickle that is no file": (pickle.dumps(5, 2), {}),
        "a wrong magic number": (pickle.dumps(5, 2), WITHOUT_CARE),
    }
    return made
