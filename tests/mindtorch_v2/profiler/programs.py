"""Random programs: ranges, ops, failures, generators and profiles on several threads, and what a profile must show."""

from __future__ import annotations

import itertools
import queue
import threading
from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.record import clock

LATER = 2**62


def ticks(steps_ns):
    """A clock that advances by the given steps, again and again; no Python runs in it that could be traced."""
    return itertools.accumulate(itertools.cycle(steps_ns), initial=10**15).__next__


class Actor:
    """A thread that does one thing at a time, when it is told to."""

    def __init__(self, name: str | None = None):
        self._orders, self._done = queue.SimpleQueue(), queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for order in iter(self._orders.get, None):
            try:
                self._done.put((order(), None))
            except BaseException as failure:
                self._done.put((None, failure))

    def do(self, order):
        self._orders.put(order)
        result, failure = self._done.get()
        if failure is not None:
            raise failure
        return result

    def end(self) -> None:
        self._orders.put(None)
        self._thread.join()


@dataclass
class Moment:
    """Something the program did once: its place among all that it did, and between which times it was done."""

    place: int
    after_ns: int
    before_ns: int = LATER


@dataclass
class Range:
    name: str
    opened: Moment
    closed: Moment | None = None


@dataclass
class Profile:
    prof: profile
    started: Moment
    stopped: Moment | None = None


@dataclass
class Play:
    """A program while it runs, and afterwards what it did."""

    now: object
    ranges: list[Range] = field(default_factory=list)
    additions: list[Moment] = field(default_factory=list)
    profiles: list[Profile] = field(default_factory=list)
    _held: dict = field(default_factory=dict)
    _actors: dict = field(default_factory=dict)
    _places: itertools.count = field(default_factory=itertools.count)

    def run(self, program) -> Play:
        try:
            for actor, verb, number in program:
                act = getattr(self, verb)
                self._do(actor, act, number)
        finally:
            for actor in self._actors.values():
                actor.end()
        return self

    def _do(self, actor: int, act, number: int) -> None:
        if act == self.leave:
            if actor in self._actors:
                self._actors.pop(actor).end()
        elif actor == 0:
            act(number)
        else:
            if actor not in self._actors:
                self._actors[actor] = Actor()
            self._actors[actor].do(lambda: act(number))

    def _moment(self, act) -> Moment:
        made = Moment(next(self._places), self.now())
        act()
        made.before_ns = self.now()
        return made

    def open(self, _) -> None:
        name = f"r{len(self.ranges)}"
        held = record_function(name)
        opened = Range(name, None)
        self.ranges.append(opened)
        opened.opened = self._moment(held.__enter__)
        self._held[name] = lambda: held.__exit__(None, None, None)

    def close(self, number: int) -> None:
        """Close any open range, on whatever thread it was opened."""
        if self._held:
            name = list(self._held)[-1 - number % len(self._held)]
            found = next(r for r in self.ranges if r.name == name)
            found.closed = self._moment(self._held.pop(name))

    def generate(self, _) -> None:
        """A range held open by a generator, to be closed when the generator is."""
        name = f"r{len(self.ranges)}"

        @record_function(name)
        def numbers():
            yield from range(3)

        made = numbers()
        opened = Range(name, None)
        self.ranges.append(opened)
        opened.opened = self._moment(lambda: next(made))
        self._held[name] = made.close

    def add(self, _) -> None:
        x = torch.ones(2)
        self.additions.append(self._moment(lambda: x + x))

    def fail(self, _) -> None:
        """An op that fails inside two ranges, which the failure leaves."""
        pair = [Range(f"r{len(self.ranges) + i}", None) for i in range(2)]
        self.ranges.extend(pair)

        def failing():
            with record_function(pair[0].name), record_function(pair[1].name):
                torch.ones(2, 3).mm(torch.ones(2, 3))

        with suppress(RuntimeError):
            moment = self._moment(lambda: suppressed(failing))
        for one in pair:
            one.opened = one.closed = moment

    def start(self, number: int) -> None:
        """Another profile; some trace Python's calls."""
        prof = profile(with_stack=number > 3)
        self.profiles.append(Profile(prof, None))
        self.profiles[-1].started = self._moment(prof.start)

    def stop(self, number: int) -> None:
        running = [p for p in self.profiles if p.stopped is None]
        if running:
            found = running[number % len(running)]
            found.stopped = self._moment(found.prof.stop)

    def leave(self, _) -> None:
        """The thread ends; what it left open stays open."""


def suppressed(act) -> None:
    with suppress(RuntimeError):
        act()


# Half of the steps are the first thread's, and most of them open and close ranges, in any order.
VERBS = ("open",) * 6 + ("close",) * 6 + ("generate", "add", "fail", "start", "stop", "leave")
STEPS = st.tuples(st.sampled_from((0, 0, 1, 2)), st.sampled_from(VERBS), st.integers(0, 5))
PROGRAMS = st.lists(STEPS, min_size=5, max_size=40).map(lambda steps: [(0, "start", 0), *steps])
STEPS_NS = st.lists(st.integers(0, 1500), min_size=1, max_size=20)


def played(program, now) -> Play:
    """The program run to its end; profiles that still run are stopped, on the first thread."""
    play = Play(now).run(program)
    while any(p.stopped is None for p in play.profiles):
        play.stop(0)
    return play


def played_under_ticks(program, steps_ns) -> Play:
    now = ticks(steps_ns)
    with clock.fake(now):
        return played(program, now)
