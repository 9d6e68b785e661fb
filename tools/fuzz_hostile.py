"""Call everything with values that nobody expects, in processes of their own; count what dies or hangs.

    python tools/fuzz_hostile.py --calls 10000 --seed 1

Every call is allowed to raise. It is a failure where the process dies, where a call takes longer than its time, where
Python's own machinery complains (SystemError), or where an error gets lost (an unraisable exception). ``--only 1234``
repeats one call of a seed here and now; the printed number names it.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

MEMORY_BYTES = 6 << 30
SMALL_NUMEL = 4096  # results up to this size are read through
STARTED = "started"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=500, help="calls of one process")
    parser.add_argument("--seconds", type=float, default=20.0, help="the time of one call")
    parser.add_argument("--only", type=int, help="repeat the call of this number in this process")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only is not None:
        return repeat(options.seed, options.only)
    if options.worker:
        first, last, log = options.worker
        return work(options.seed, int(first), int(last), Path(log), options.seconds)
    return campaign(options)


def campaign(options) -> int:
    """All calls, batch by batch; a batch that dies goes on behind the call it died of."""
    counts: collections.Counter = collections.Counter()
    failures = []
    first = 0
    with tempfile.TemporaryDirectory() as folder:
        while first < options.calls:
            last = min(first + options.batch, options.calls)
            events, tail, code = run_batch(options, first, last, Path(folder))
            counts.update(event["outcome"] for event in events if event["outcome"] != STARTED)
            failures += [(event["number"], event["failure"], event["call"]) for event in events if event.get("failure")]
            if events and events[-1]["outcome"] == STARTED:
                how = "hang" if "Timeout (" in tail else f"crash ({signal_name(code)})"
                counts[how.split()[0]] += 1
                failures.append((events[-1]["number"], how, events[-1]["call"] + "\n" + tail))
                first = events[-1]["number"] + 1
            elif code:
                print(tail)
                return 2
            else:
                first = last
    for number, how, what in failures:
        print(f"--only {number} --seed {options.seed}: {how}: {what}")
    told = ", ".join(f"{counts[what]} {what}" for what in sorted({"crash", "hang", *counts}))
    print(f"{options.calls} hostile calls, seed {options.seed}: {told}")
    return 1 if failures else 0


def run_batch(options, first: int, last: int, folder: Path) -> tuple[list[dict], str, int]:
    log = folder / f"{first}.log"
    command = [sys.executable, __file__, "--seed", str(options.seed), "--seconds", str(options.seconds),
               "--worker", str(first), str(last), str(log)]
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    process = subprocess.run(command, cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, check=False, env={**os.environ, "PYTHONPATH": search_path()})
    events = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return events, process.stderr.decode(errors="replace")[-3000:], process.returncode


def search_path() -> str:
    return os.pathsep.join(os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)


def signal_name(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def work(seed: int, first: int, last: int, log: Path, seconds: float) -> int:
    """Make the calls of one batch; what is about to be called is written down before it is."""
    import hostile_calls
    limit_memory()
    faulthandler.enable()
    warnings.simplefilter("ignore")
    lost: list[str] = []
    sys.unraisablehook = lambda event: lost.append(f"{event.exc_value!r} in {event.object!r}"[:300])
    with log.open("w", buffering=1) as file:
        for number in range(first, last):
            settle()
            call = hostile_calls.call(seed, number)
            told = str(call)[:2000]
            print(json.dumps({"number": number, "outcome": STARTED, "call": told}), file=file)
            faulthandler.dump_traceback_later(seconds, exit=True)
            outcome, failure = judge(call, number % 8 == 0)
            faulthandler.cancel_dump_traceback_later()
            if lost:
                outcome, failure = "lost an error", lost.pop()
                lost.clear()
            print(json.dumps({"number": number, "outcome": outcome, "failure": failure, "call": told}), file=file)
    return 0


def judge(call, is_recorded: bool) -> tuple[str, str | None]:
    """What came of a call, under a profile or without one."""
    try:
        if is_recorded:
            recorded(call)
        else:
            read(call())
    except SystemError as error:
        return "broken", repr(error)
    except BaseException as error:
        return f"raised {type(error).__name__}", None
    return "returned", None


def recorded(call) -> None:
    """Make a call while everything is recorded, then look at the recording."""
    import mindtorch_v2 as torch
    from mindtorch_v2.profiler import profile
    with profile(record_shapes=True, profile_memory=True) as recording:
        try:
            read(call())
        except SystemError:
            raise
        except Exception:
            torch.ones(1)  # and go on
    recording.key_averages(group_by_input_shape=True).table()


def read(result) -> None:
    """Look at a result as its user would: values out of bounds are read here or never."""
    import mindtorch_v2 as torch
    if isinstance(result, torch.Tensor) and result.numel() <= SMALL_NUMEL:
        repr(result)
        result.clone().tolist()
        if result.requires_grad and result.grad_fn is not None:
            result.sum().backward()
    elif isinstance(result, (list, tuple)) and len(result) < 100:
        for item in result:
            read(item)


def settle() -> None:
    """Undo what a call may have done to the process."""
    import mindtorch_v2 as torch
    random.seed(0)
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)


def limit_memory() -> None:
    """Let sizes of petabytes fail at once; AddressSanitizer reserves more than any limit, and has an option for it."""
    if "asan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def repeat(seed: int, number: int) -> int:
    import hostile_calls
    faulthandler.enable()
    limit_memory()
    call = hostile_calls.call(seed, number)
    print(call, flush=True)
    read(call())
    return 0


if __name__ == "__main__":
    sys.exit(main())
