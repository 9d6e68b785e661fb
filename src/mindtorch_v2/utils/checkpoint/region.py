"""A checkpoint without a pass inside a pass: what would be saved is marked, and computed again when it is asked for."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from contextlib import contextmanager, nullcontext
from functools import partial
from threading import local

from ...autograd import passes, saved, saved_tensor
from ...autograd.grad_mode import enable_grad
from ...core.modes import is_grad_enabled
from ...core.tensor import Tensor
from .debug import TIP, Log
from .surroundings import Surroundings

SUPPRESSED = ("torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception raised "
              "during the checkpointed forward. This is not supported because checkpoint cannot return a value for a "
              "failed forward.")
MORE = "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass."
TWICE = "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
OVERLAP = ("Performing two backward calls that overlap (i.e. require the same saved activation in order to compute "
           "gradients) is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. ")
ONCE = ("If you are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an "
        "issue with details on your use case.")


class CheckpointError(RuntimeError):
    """What was computed again is not what was computed first."""


class _Stop(Exception):  # noqa: N818  nothing went wrong
    """Everything that was saved is there again: the rest of the function need not run."""


class GraphExecGroup:
    """Passes inside the block count as one, as far as computing again goes: they go through parts of one graph."""

    _thread = local()

    def __enter__(self) -> GraphExecGroup:
        if self.current() is not None:
            raise RuntimeError("GraphExecGroup contexts cannot be nested; leave the outer one first")
        self._thread.group = self
        return self

    def __exit__(self, *failure) -> None:
        self._thread.group = None

    @classmethod
    def current(cls) -> GraphExecGroup | None:
        return getattr(cls._thread, "group", None)


class _EarlyStop:
    chosen: bool | None = None  # overrides what each checkpoint says


@contextmanager
def set_checkpoint_early_stop(enable: bool):
    """Whether checkpoints made in the block stop computing again as soon as nothing more is needed."""
    before, _EarlyStop.chosen = _EarlyStop.chosen, enable
    try:
        yield
    finally:
        _EarlyStop.chosen = before


def noop_context_fn():
    """The contexts of forward and of computing again: none."""
    return nullcontext(), nullcontext()


def _facts(tensor: Tensor) -> dict:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


DETERMINISM_CHECKS: dict[str, Callable[[Tensor], object]] = {"default": _facts, "none": lambda tensor: None}


class _Place:
    """Stands in a node for a tensor that is not kept; holds it once it was computed again, by pass."""

    def __init__(self):
        self.values: dict[Hashable, Tensor] = {}


class Region:
    """One checkpointed call: the places of what it saved, in order, and how to fill them."""

    def __init__(self, run_again: Callable[[], object], early_stop: bool, facts_of: Callable, log: Log | None):
        self.run_again, self.facts_of, self.log = run_again, facts_of, log
        self.early_stop = early_stop if _EarlyStop.chosen is None else _EarlyStop.chosen
        self.places: list[weakref.ref[_Place]] = []  # nodes own them
        self.facts: list = []
        self.is_complete = False  # whether forward is over
        self.done: set[Hashable] = set()  # the passes in which all places were filled

    def pack(self, tensor: Tensor) -> _Place:
        place = _Place()
        self.places.append(weakref.ref(place))
        self.facts.append(self.facts_of(tensor))
        return place

    def unpack(self, place: _Place) -> Tensor:
        try:
            return self._value_of(place)
        except CheckpointError as error:
            if self.log is None:
                raise
            raise CheckpointError(self.log.told()) from error

    def _value_of(self, place: _Place) -> Tensor:
        group, number = GraphExecGroup.current(), passes._current_graph_task_id()
        key = group if group is not None else number if number >= 0 else object()
        if key not in self.done:
            self._fill(key)
            if group is None and number >= 0:
                passes.Engine.queue_callback(partial(_forget_in, weakref.ref(self), key))
        if key not in place.values:
            raise CheckpointError(TWICE + (OVERLAP if group is not None else "") + ONCE)
        value = place.values.pop(key)
        if group is None and number < 0:
            self._forget(key)  # outside a pass, nobody else will ask
        return value

    def _fill(self, key: Hashable) -> None:
        """Run the function again, and put what it saves into the places."""
        again: list = []

        def pack(tensor: Tensor) -> Tensor:
            kept = tensor.detach() if tensor.requires_grad else tensor
            if len(again) >= len(self.places):
                if self.is_complete:
                    raise CheckpointError(MORE + TIP)
                return kept
            place = self.places[len(again)]()
            again.append(self.facts_of(tensor))
            if place is not None:
                place.values[key] = kept
            if self.early_stop and len(again) == len(self.places):
                raise _Stop(self)
            return kept

        try:
            with saved.saved_tensors_hooks(pack, lambda kept: kept), enable_grad():
                self.run_again()
        except _Stop as stop:
            if stop.args[0] is not self:
                raise
        if self.is_complete:
            self._compare(again)
        self.done.add(key)

    def _compare(self, again: list) -> None:
        if len(again) != len(self.places):
            raise CheckpointError("torch.utils.checkpoint: A different number of tensors was saved during the original "
                                  f"forward and recomputation.\nNumber of tensors saved during forward: "
                                  f"{len(self.places)}\nNumber of tensors saved during recomputation: {len(again)}."
                                  + TIP)
        differ = [f"tensor at position {i}:\nsaved metadata: {first}\nrecomputed metadata: {second}\n"
                  for i, (first, second) in enumerate(zip(self.facts, again))
                  if first != second and self.places[i]() is not None]
        if differ:
            raise CheckpointError("torch.utils.checkpoint: Recomputed values for the following tensors have different "
                                  f"metadata than during the forward pass.\n{''.join(differ)}." + TIP)

    def _forget(self, key: Hashable) -> None:
        self.done.discard(key)
        for reference in self.places:
            place = reference()
            if place is not None:
                place.values.pop(key, None)


def _forget_in(reference: weakref.ref[Region], key: Hashable) -> None:
    """At the end of a pass: forget what was computed again for it, if the graph did not go with the pass."""
    region = reference()
    if region is not None:
        region._forget(key)


def run(function: Callable, args: tuple, kwargs: dict, *, preserve_rng_state: bool, context_fn: Callable,
        determinism_check: str, early_stop: bool, log: Log | None):
    """Call a function so that its intermediate values are computed again in backward."""
    if determinism_check not in DETERMINISM_CHECKS:
        raise ValueError(f"determinism_check should be one of {list(DETERMINISM_CHECKS)}, but got {determinism_check}")
    forward_context, again_context = context_fn()
    if not is_grad_enabled():
        return function(*args, **kwargs)
    surroundings = Surroundings(preserve_rng_state)
    # A checkpoint around this one decides what becomes of the arguments: it may compute them again, too.
    inputs = [saved_tensor.keep(value) if isinstance(value, Tensor) else value for value in args]

    def run_again() -> None:
        given = [value.unpack() if isinstance(value, saved_tensor.SavedTensor) else value for value in inputs]
        with surroundings.restored(), again_context:
            function(*given, **kwargs)

    region = Region(run_again, early_stop, DETERMINISM_CHECKS[determinism_check], log)
    with saved.saved_tensors_hooks(region.pack, region.unpack), forward_context:
        result = function(*args, **kwargs)
        region.is_complete = True
    if not region.is_complete:
        raise RuntimeError(SUPPRESSED)
    return result
