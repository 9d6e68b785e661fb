"""Stores: what one process or thread sets, another gets."""

from __future__ import annotations

import gc
import threading
from datetime import timedelta

import pytest

import mindtorch_v2.distributed as dist

pytestmark = pytest.mark.slow  # processes and threads of their own, apart from tests of profiles

SHORT = timedelta(milliseconds=50)


@pytest.fixture(autouse=True)
def servers_end_with_their_stores():
    """Threads that other tests' profiles would show."""
    yield
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "pt_tcpstore":
            thread.join(1)


@pytest.fixture(params=["hash", "file", "tcp", "prefix"])
def store(request, tmp_path):
    if request.param == "file":
        return dist.FileStore(str(tmp_path / "store"), 1)
    if request.param == "tcp":
        return dist.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
    made_of = dist.HashStore()
    return dist.PrefixStore("part", made_of) if request.param == "prefix" else made_of


def test_values_are_kept_counted_compared_and_forgotten(store):
    store.set("key", "value")
    assert store.get("key") == b"value" and store.check(["key"]) and not store.check(["key", "other"])
    assert [store.add("count", 3), store.add("count", -1), store.get("count")] == [3, 2, b"2"]
    assert store.compare_set("new", "", "first") == b"first" == store.compare_set("new", "other", "second")
    store.append("key", "s")
    assert store.multi_get(["key", "new"]) == [b"values", b"first"]
    assert store.delete_key("key") and not store.delete_key("key")


def test_waiting_for_what_nobody_sets_ends(store):
    with pytest.raises(dist.DistStoreError, match="timeout after 50ms, keys: /"):
        store.wait(["nothing"], SHORT)


def test_a_second_client_reaches_the_same_store():
    first = dist.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
    second = dist.TCPStore("localhost", first.port, wait_for_workers=False)
    second.set("key", b"\0bytes")
    assert first.get("key") == b"\0bytes"


def test_a_store_that_is_not_there_is_told_by_its_address():
    with pytest.raises(dist.DistNetworkError, match=r"timed out after 50ms while .* \(localhost, 1\)"):
        dist.TCPStore("localhost", 1, timeout=SHORT)
