"""Which tensors events were given, and which modules and optimizers were called: what the event tree says beyond the
table. Events are named by their ids."""

from __future__ import annotations

import numpy as np

from ...record.layout import MODULE_CALL, NUMBER_BITS, PYTHON_CALL
from ...record.recorder import Recording
from ...record.vocabulary import Vocabulary
from ..kineto.recorded import GIVEN, distinct
from ..table import columns
from ..table.identities import Identities

OPTIMIZER_CALL = ": _optimizer_step_code"


def tensors_given(recording: Recording, first_id: int) -> np.ndarray:
    """Which tensors the rows were given; an event is named by its id."""
    given = [np.zeros(0, GIVEN)]
    first = first_id
    for thread in recording.threads:
        place, tensors = thread.places(thread.tensors["row"]), thread.tensors
        inside = place >= 0
        if not inside.all():
            place, tensors = place[inside], tensors[inside]
        part = np.empty(len(place), GIVEN)
        part["event"] = first + place
        for name in ("slot", "tensor", "storage"):
            part[name] = tensors[name]
        given.append(part)
        first += len(thread.rows)
    return given[-1] if len(given) <= 2 else np.concatenate(given)


def identities(recording: Recording, first_id: int) -> Identities:
    """All that is known of tensors, modules and optimizers."""
    modules, optimizers = calls_of_objects(recording, first_id)
    (module_calls, of_modules), (optimizer_calls, of_optimizers) = (
        _as_rows(modules, columns.MODULE_CALLS), _as_rows(optimizers, columns.OPTIMIZER_CALLS))
    return Identities(tensors_given(recording, first_id), module_calls, optimizer_calls, of_modules, of_optimizers)


def _as_rows(calls: dict, declared: tuple[columns.Column, ...]) -> tuple[np.ndarray, list]:
    """Calls as rows, and the facts that they number, each once."""
    numbers: dict[int, int] = {}
    rows = [(event, numbers.setdefault(id(facts), len(numbers))) for event, facts in calls.items()]
    return np.array(rows, columns.row_type(declared)), distinct(calls)


def calls_of_objects(recording: Recording, first_id: int) -> tuple[dict, dict]:
    """What is known of the modules and optimizers that were called, by the ids of the calls.

    torch knows an optimizer by the call of ``_optimizer_step_code``, the last thing in its step.
    """
    modules, optimizers, first = {}, {}, first_id
    code_names, known = _numbers_of(recording.names), recording.objects.known_modules()
    known_steps = recording.objects.known_optimizers()
    for thread in recording.threads:
        name = thread.rows["name"]  # read once: it may lie on disk
        of_modules = np.isin(name, list(known)) & (thread.rows["scope"] == MODULE_CALL)
        modules.update((first + row, known[int(name[row])])
                       for row in np.flatnonzero(of_modules).tolist())
        begin = (thread.log << NUMBER_BITS) + thread.first
        steps = {handle - begin: facts for handle, facts in known_steps.items()}
        codes = np.flatnonzero(np.isin(name, code_names) & (thread.rows["scope"] == PYTHON_CALL))
        parents = thread.parents()[codes].tolist()
        optimizers.update((first + row, steps[parent]) for row, parent in zip(codes.tolist(), parents)
                          if parent in steps)
        first += len(thread.rows)
    return modules, optimizers


def _numbers_of(names: Vocabulary) -> list[int]:
    """The numbers of the names of optimizers' calls: the same function in different files and lines."""
    numbers, words = names.listed()
    return [number for number, word in zip(numbers.tolist(), words)
            if type(word) is str and word.endswith(OPTIMIZER_CALL)]
