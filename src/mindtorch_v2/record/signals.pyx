# cython: language_level=3
"""Signals that end the process by default, noted in a pipe instead; signals.py is the same in plain Python."""
import _signal
import os
import signal

cdef extern from "signals.h":
    void mt_note_into(int pipe)
    bint mt_catch_signal(int number)
    void mt_release_signal(int number)

cdef list NUMBERS = sorted(_signal.valid_signals())
cdef object getsignal = _signal.getsignal


def python_handlers():
    """Signals that a function of Python's answers, each with it; most are left to the default, which is a number."""
    handlers = []
    for number in NUMBERS:
        handler = getsignal(number)
        if type(handler) is not int and callable(handler):
            handlers.append((number, handler))
    return handlers


def catch(numbers, int pipe):
    """Write each of these signals that comes, as a byte, into a pipe; not those that the program answers or ignores."""
    mt_note_into(pipe)
    for number in numbers:
        mt_catch_signal(number)


def release(numbers):
    """Let signals end the process again, unless the program has set an answer since."""
    for number in numbers:
        mt_release_signal(number)


def die(int number):
    """End the process as the signal would have done, had nobody caught it."""
    mt_release_signal(number)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)
