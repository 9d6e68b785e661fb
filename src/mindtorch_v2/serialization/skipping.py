"""skip_data(): files with the places of tensors' bytes, and not the bytes."""

from __future__ import annotations

import threading


class _Local(threading.local):
    skip_data = False
    materialize_fake_tensors = False


_serialization_tls = _Local()


def is_data_skipped() -> bool:
    return _serialization_tls.skip_data


class skip_data:  # noqa: N801  torch's name
    """In this block save() leaves the bytes of tensors out, as zeros, and load() does not read them."""

    def __init__(self, materialize_fake_tensors: bool = False):
        self.materialize_fake_tensors = materialize_fake_tensors

    def __enter__(self) -> None:
        self._before = dict(_serialization_tls.__dict__)
        _serialization_tls.skip_data = True
        _serialization_tls.materialize_fake_tensors = self.materialize_fake_tensors

    def __exit__(self, *failure) -> None:
        _serialization_tls.__dict__.clear()
        _serialization_tls.__dict__.update(self._before)
