"""torch.utils._traceback: where the program was, read later."""

from __future__ import annotations

import os
import pickle
import weakref

from mindtorch_v2.utils._traceback import CapturedTraceback, format_frame, format_traceback_short, shorten_filename


def captured(**options):
    return CapturedTraceback.extract(**options)


def test_a_traceback_ends_where_it_was_made():
    last = captured().summary()[-1]
    assert (last.name, last.line) == ("captured", "return CapturedTraceback.extract(**options)")
    assert captured(skip=1).summary()[-1].name == "test_a_traceback_ends_where_it_was_made"
    assert CapturedTraceback.format_all([captured()])[0][-1].endswith(f"{last.line}\n")


def test_a_traceback_keeps_no_variables_alive():
    class Big:
        pass

    def made():
        big = Big()
        return weakref.ref(big), captured()

    gone, kept = made()
    assert gone() is None
    kept.cleanup()
    assert kept.summary() == []


def test_a_traceback_of_another_process_is_empty():
    assert pickle.loads(pickle.dumps(captured())).summary() == []


def test_frames_in_few_words():
    assert shorten_filename("/a/b/c.py", base="/a") == "b/c.py"
    assert shorten_filename("rel/x.py") == "rel/x.py"
    frame = captured().summary()[-1]
    folder, file = os.path.split(frame.filename)
    assert format_frame(frame, base=folder, line=True) == f"{frame.line}  # {file}:{frame.lineno} in captured"
    try:
        raise ValueError
    except ValueError as error:
        assert format_traceback_short(error.__traceback__).endswith(" in test_frames_in_few_words")
