"""Random calls of every op beside PyTorch: ``python tools/fuzz_ops.py --oracle PATH --calls 10000``.

PATH is a Python that has torch. Every call is performed on both sides, in processes of their own; printed are the kinds
of difference with their counts, and for each op the shortest call that shows it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.mindtorch_v2.fuzz import compare, hints  # noqa: E402
from tests.mindtorch_v2.fuzz.generate import Generator, Target, targets  # noqa: E402
from tests.mindtorch_v2.fuzz.sides import Side  # noqa: E402


class Findings:
    """Differences by kind and op, with the shortest example of each pair."""

    def __init__(self):
        self.kinds: Counter = Counter()
        self.pairs: Counter = Counter()
        self.examples: dict[tuple[str, str], dict] = {}
        self.accepted = 0  # by torch
        self.every: list[dict] = []

    def add(self, kind: str, call: dict, ours: dict, theirs: dict) -> None:
        self.kinds[kind] += 1
        self.accepted += "value" in theirs
        if kind == compare.SAME:
            return
        pair = kind, f"{call['form']} {call['name']}"
        self.pairs[pair] += 1
        example = {"kind": kind, "call": call, "ours": ours, "theirs": theirs}
        self.every.append(example)
        if pair not in self.examples or len(json.dumps(example)) < len(json.dumps(self.examples[pair])):
            self.examples[pair] = example

    def report(self, wanted: list[str], full: bool) -> None:
        total = sum(self.kinds.values())
        for kind in wanted:
            for (of, name), count in sorted(self.pairs.items(), key=lambda item: -item[1]):
                if of == kind:
                    example = self.examples[of, name]
                    print(f"\n[{kind}] {name} ({count})\n  {shown(example['call'])}")
                    print(f"  ours:   {brief(example['ours'], full)}\n  theirs: {brief(example['theirs'], full)}")
        print(f"\n{total:,} calls, of which torch accepts {self.accepted:,}")
        for kind in (compare.SAME, *compare.KINDS):
            print(f"{self.kinds[kind]:8,}  {100 * self.kinds[kind] / max(total, 1):7.3f} %  {kind}")


def shown(call: dict) -> str:
    """A call as one would write it."""
    if "steps" in call:
        return "; ".join(shown(step) for step in call["steps"]) + "; backward"
    rest = [_shown(v) for v in call["args"]] + [f"{k}={_shown(v)}" for k, v in call["kwargs"].items()]
    return f"{call['form']} {call['name']}({', '.join(rest)})"


def _shown(value) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_shown(v) for v in value)}]"
    if isinstance(value, dict) and "tensor" in value:
        fill = value.get("numbers", value["fill"])
        grad = " grad" if value.get("grad") else ""
        return f"<{value['tensor']}{value['shape']} {value['layout']} {fill}@{value['seed']}{grad}>"
    if isinstance(value, dict):
        return " ".join(f"{k}:{_shown(v)}" for k, v in value.items())
    return repr(value)


def brief(answer: dict, full: bool) -> str:
    text = f"{answer['error']}: {answer['text']}" if "error" in answer else json.dumps(answer.get("value", answer))
    text = " ⏎ ".join(text.splitlines())
    return text if full or len(text) < 300 else text[:300] + "…"


def shared_targets(sides: list[Side], wanted: list[str]) -> list[Target]:
    """What both sides have."""
    from mindtorch_v2.opdef.table import OPS
    every = targets(op for overloads in OPS.values() for op in overloads)
    for side in sides:
        side.ask({"names": sorted({(t.form, t.name) for t in every})})
        names = set(map(tuple, side.answer()["names"]))
        every = [t for t in every if (t.form, t.name) in names]
    return [t for t in every if not wanted or t.name in wanted or t.name.removesuffix("_") in wanted]


def is_comparable(call: dict) -> bool:
    """Whether the numbers of the result are anybody's promise."""
    return not any(step["name"] in hints.UNINITIALISED for step in call.get("steps", [call]))


def run(args) -> Findings:
    findings = Findings()
    with Side("mindtorch_v2") as ours, Side("torch", args.oracle) as theirs:
        generator = Generator(shared_targets([ours, theirs], args.ops), args.seed)
        began = time.monotonic()
        for number in range(args.start, args.start + args.calls):
            call = generator.call(number)
            ours.ask(call)
            theirs.ask(call)
            answers = ours.answer(), theirs.answer()
            kind = compare.compare(*answers)
            if kind == "other value" and not is_comparable(call):
                kind = compare.SAME
            findings.add(kind, call, *answers)
            if number % 5000 == 4999:
                print(f"{number + 1:,} calls, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return findings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oracle", default=os.environ.get("MINDTORCH_ORACLE"), help="a Python that has torch")
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0, help="the number of the first call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", default=",".join(compare.KINDS[:-1]), help="kinds to show examples of")
    parser.add_argument("--save", type=Path, help="a file for all differences, one a line in JSON")
    parser.add_argument("--full", action="store_true", help="do not shorten answers")
    parser.add_argument("ops", nargs="*", help="only these ops")
    args = parser.parse_args()
    findings = run(args)
    if args.save:
        args.save.write_text("".join(json.dumps(example) + "\n" for example in findings.every))
    findings.report(args.show.split(","), args.full)


if __name__ == "__main__":
    main()
