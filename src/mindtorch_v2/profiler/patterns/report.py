"""All patterns over one profile, printed and written as torch does."""

from __future__ import annotations

import json
import os

from ..export.files import writing
from .pattern import NO_SOURCE, Pattern, source_code_location
from .tensor_patterns import ExtraCUDACopyPattern, FP32MatMulPattern, MatMulDimInFP16Pattern
from .training_patterns import (
    Conv2dBiasFollowedByBatchNorm2dPattern,
    GradNotSetToNonePattern,
    OptimizerSingleTensorPattern,
    SynchronizedDataLoaderPattern,
)

# In the order of torch's report, which leaves the loop over rows to those who ask for it.
REPORTED: tuple[type[Pattern], ...] = (
    ExtraCUDACopyPattern, FP32MatMulPattern, OptimizerSingleTensorPattern, SynchronizedDataLoaderPattern,
    GradNotSetToNonePattern, Conv2dBiasFollowedByBatchNorm2dPattern, MatMulDimInFP16Pattern)
FILE_NAME = "torchtidy_report.json"
LINE = "-" * 40 + "TorchTidy Report" + "-" * 40


def report_all_anti_patterns(prof, should_benchmark: bool = False, print_enable: bool = True,
                             json_report_dir: str | None = None) -> None:
    """Look for every pattern; print what was found, and write it to ``torchtidy_report.json`` in a folder."""
    messages: dict[str, None] = {}  # in order, each once
    summaries: list[str] = []
    by_file: dict[str, list[dict]] = {}
    for kind in REPORTED:
        pattern = kind(prof, should_benchmark)
        events = pattern.matched_events()
        if not events:
            continue
        summaries.append(pattern.benchmark_summary(events) if should_benchmark else pattern.summary(events))
        for event in events:
            message = pattern.report(event)
            if message not in messages:
                messages[message] = None
                _note(by_file, pattern, source_code_location(event))
    if json_report_dir is not None:
        _write(os.path.join(json_report_dir, FILE_NAME), by_file)
    if print_enable:
        print("\n".join([LINE, "Matched Events:", *messages, "Summary:", *summaries, LINE]))


def _note(by_file: dict, pattern: Pattern, location: str) -> None:
    if location == NO_SOURCE:
        return
    file, _, line = location.rpartition(":")
    by_file.setdefault(file, []).append({"line_number": int(line), "name": pattern.name, "url": pattern.url,
                                         "message": pattern.description})


def _write(path: str, by_file: dict) -> None:
    """Files reported before and not now stay in the report."""
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    with writing(path) as out:
        out.write(json.dumps(known | by_file, indent=4).encode())
