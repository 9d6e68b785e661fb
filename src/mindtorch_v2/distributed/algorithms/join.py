"""Join: a block in which processes may have different numbers of batches; one process has but its own."""

from __future__ import annotations

from abc import ABC, abstractmethod


class JoinHook:
    """What a process does after its last batch, as long as others go on."""

    def main_hook(self) -> None:
        """Called for every batch of others."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """Called when all are done."""


class Joinable(ABC):
    """What can take part."""

    @abstractmethod
    def join_hook(self, **kwargs) -> JoinHook:
        """What it does after its last batch."""

    @property
    @abstractmethod
    def join_device(self):
        """The device of what it communicates."""

    @property
    @abstractmethod
    def join_process_group(self):
        """The group of processes that it communicates with."""


class Join:
    """The block."""

    def __init__(self, joinables: list[Joinable], enable: bool = True, throw_on_early_termination: bool = False,
                 **kwargs) -> None:
        if not joinables:
            raise ValueError("The join context manager requires at least one joinable")
        self._joinables, self._enable = joinables, enable
        self._hooks = [joinable.join_hook(**kwargs) for joinable in joinables]

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind, value, traceback) -> None:
        if self._enable and kind is None:
            for hook in self._hooks:
                hook.post_hook(is_last_joiner=True)

    @staticmethod
    def notify_join_context(joinable: Joinable) -> None:
        """Nobody else is to be told of a batch."""
