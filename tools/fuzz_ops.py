"""Random calls of every op: ``python tools/fuzz_ops.py --calls 10000 [--oracle PATH]``.

PATH is a Python that has torch. With it, every call is performed on both sides, and printed are the kinds of difference
with their counts, and for each op the shortest call that shows it. Without it, only crashes, hangs and contradictions
are found: an op that says one thing as a function and another in place, into ``out=`` or on strided memory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.mindtorch_v2.fuzz import compare, relations  # noqa: E402
from tests.mindtorch_v2.fuzz.findings import Findings  # noqa: E402
from tests.mindtorch_v2.fuzz.generate import GRAPHS, Generator, Target, targets  # noqa: E402
from tests.mindtorch_v2.fuzz.sides import Side  # noqa: E402

CALLS_BETWEEN_NEWS = 5000
UNSTEADY = ("other text", "other value")  # differences that say nothing about the next run: words, and the last digit


def shared_targets(sides: list[Side], wanted: list[str]) -> list[Target]:
    """What all sides have."""
    from mindtorch_v2.opdef.table import OPS
    every = targets(op for overloads in OPS.values() for op in overloads)
    for side in sides:
        side.ask({"names": sorted({(t.form, t.name) for t in every})})
        names = set(map(tuple, side.answer()["names"]))
        every = [t for t in every if (t.form, t.name) in names]
    return [t for t in every if not wanted or t.name in wanted or t.name.removesuffix("_") in wanted]


def beside_torch(args, numbers) -> Findings:
    """Our answers compared with torch's."""
    findings = Findings((compare.SAME, *compare.KINDS), "torch")
    with Side("mindtorch_v2") as ours, Side("torch", args.oracle) as theirs:
        generator = Generator(shared_targets([ours, theirs], args.ops), args.seed, args.graphs)
        for number in numbers:
            call = generator.call(number)
            ours.ask(call)
            theirs.ask(call)
            answer, expected = ours.answer(), theirs.answer()
            findings.add(compare.kind_of(call, answer, expected), call, answer, expected)
    return findings


def alone(args, numbers) -> Findings:
    """Our answers compared with each other."""
    findings = Findings((compare.SAME, "crash", "hang", *relations.RELATIONS), "the other way")
    with Side("mindtorch_v2") as ours:
        generator = Generator(shared_targets([ours], args.ops), args.seed, args.graphs)
        names = set(generator.by_name)
        for number in numbers:
            call = generator.call(number)
            answer = ours.perform(call)
            kind, other = next((word for word in ("crash", "hang") if word in answer), compare.SAME), answer
            if kind == compare.SAME and "steps" not in call and call["name"] not in relations.EXEMPT:
                for name, relation in relations.RELATIONS.items():
                    twin = relation.twin(call, names)
                    if twin is not None and relations.broken(relation, answer, other := ours.perform(twin)):
                        kind = name
                        break
            findings.add(kind, call, answer, other)
    return findings


def write_calls(args) -> None:
    """Draw the calls that the tests replay; ``tools/record_fuzz.py`` then asks torch for their answers.

    Calls that once differed, and agree now, come after them, from files that ``--save`` wrote.
    """
    from tests.mindtorch_v2.fuzz.recorded import DATA
    with Side("mindtorch_v2") as ours, Side("torch", args.oracle) as theirs:
        generator = Generator(shared_targets([ours, theirs], args.ops), args.seed)
        calls = [generator.call(number) for number in range(args.write_calls)]
        for path in args.mended:
            differences = [json.loads(line) for line in path.read_text().splitlines()]
            calls += [was["call"] for was in differences if was["kind"] not in UNSTEADY
                      and compare.compare(ours.perform(was["call"]), was["theirs"]) in (compare.SAME, "other text")]
    DATA.write_bytes(gzip.compress(json.dumps([[call, None] for call in calls]).encode(), mtime=0))


def counted(start: int, calls: int):
    """The numbers of the calls, with a word on standard error now and then."""
    began = time.monotonic()
    for done in range(calls):
        yield start + done
        if done % CALLS_BETWEEN_NEWS == CALLS_BETWEEN_NEWS - 1:
            print(f"{done + 1:,} calls, {time.monotonic() - began:.0f} s", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", default=os.environ.get("MINDTORCH_ORACLE"), help="a Python that has torch")
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0, help="the number of the first call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--graphs", type=float, default=GRAPHS, help="the share of calls that are led back: gradients")
    parser.add_argument("--show", help="kinds to show examples of, separated by commas; all but texts unless told")
    parser.add_argument("--save", type=Path, help="a file for all differences, one a line in JSON")
    parser.add_argument("--write-calls", type=int, help="draw so many calls for the tests to replay")
    parser.add_argument("--mended", type=Path, nargs="+", default=[], help="with --write-calls: files of --save whose "
                        "calls are replayed as well")
    parser.add_argument("--full", action="store_true", help="do not shorten answers")
    parser.add_argument("ops", nargs="*", help="only these ops")
    args = parser.parse_args()
    if args.write_calls:
        write_calls(args)
        return 0
    numbers = counted(args.start, args.calls)
    findings = beside_torch(args, numbers) if args.oracle else alone(args, numbers)
    if args.save:
        args.save.write_text("".join(json.dumps(example) + "\n" for example in findings.every))
    findings.report(args.show.split(",") if args.show else None, args.full)
    return 1 if findings.kinds["crash"] or findings.kinds["hang"] else 0


if __name__ == "__main__":
    sys.exit(main())
