"""Differences by kind and op, and how they are shown to a reader."""

from __future__ import annotations

import json
from collections import Counter

from . import compare

BRIEF = 300  # characters of an answer that are shown


class Findings:
    """Counts of all answers, and the shortest example of each pair of kind and op."""

    def __init__(self, kinds: tuple[str, ...], other: str):
        self.order = kinds
        self.other = other  # who gives the second answer
        self.kinds: Counter = Counter()
        self.pairs: Counter = Counter()
        self.examples: dict[tuple[str, str], dict] = {}
        self.every: list[dict] = []
        self.accepted = 0

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

    def report(self, shown: list[str] | None, full: bool) -> None:
        """Examples of the kinds to show, then the counts of all."""
        total = sum(self.kinds.values())
        for kind in shown or [k for k in self.order if k != "other text"]:
            for (of, name), count in sorted(self.pairs.items(), key=lambda item: -item[1]):
                if of == kind:
                    example = self.examples[of, name]
                    print(f"\n[{kind}] {name} ({count})\n  {as_written(example['call'])}")
                    print(f"  ours:  {brief(example['ours'], full)}\n  {self.other}: {brief(example['theirs'], full)}")
        print(f"\n{total:,} calls, of which {self.accepted:,} are accepted")
        for kind in self.order:
            print(f"{self.kinds[kind]:8,}  {100 * self.kinds[kind] / max(total, 1):7.3f} %  {kind}")


def as_written(call: dict) -> str:
    """A call as one would write it."""
    if "steps" in call:
        return "; ".join(as_written(step) for step in call["steps"]) + "; backward"
    rest = [_as_written(v) for v in call["args"]] + [f"{k}={_as_written(v)}" for k, v in call["kwargs"].items()]
    return f"{call['form']} {call['name']}({', '.join(rest)})"


def _as_written(value) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_as_written(v) for v in value)}]"
    if isinstance(value, dict) and "tensor" in value:
        fill = value.get("numbers", value["fill"])
        grad = " grad" if value.get("grad") else ""
        return f"<{value['tensor']}{value['shape']} {value['layout']} {fill}@{value['seed']}{grad}>"
    if isinstance(value, dict):
        return " ".join(f"{k}:{_as_written(v)}" for k, v in value.items())
    return repr(value)


def brief(answer: dict, full: bool = False) -> str:
    text = f"{answer['error']}: {answer['text']}" if "error" in answer else json.dumps(answer.get("value", answer))
    text = " ⏎ ".join(text.splitlines())
    return text if full or len(text) < BRIEF else text[:BRIEF] + "…"
