"""Write docs/REFERENCE.md: the profiler and the commands, from their docstrings and help."""

from __future__ import annotations

import inspect
import pathlib
import re

import click

from mindtorch_v2 import profiler
from mindtorch_v2.cli import main as commands
from mindtorch_v2.profiler.results.profile_results import ProfileResults

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "REFERENCE.md"
HEAD = """# Reference

Written by `make docs` from the docstrings; edit those. `torch` stands for `mindtorch_v2`, and for `torch` under
`mindtorch run`. docs/TUTORIAL.md shows how the parts are used together.
"""
# (heading, object, whether its methods follow)
OBJECTS = [
    ("`torch.profiler.profile`", profiler.profile, True),
    ("Results of a profile, live or loaded", ProfileResults, True),
    ("`torch.profiler.schedule`", profiler.schedule, False),
    ("`torch.profiler.record_function`", profiler.record_function, False),
    ("`torch.profiler.load`", profiler.load, False),
    ("`torch.profiler.combine`", profiler.combine, False),
    ("`torch.profiler.tensorboard_trace_handler`", profiler.tensorboard_trace_handler, False),
    ("`torch.profiler.ExecutionTraceObserver`", profiler.ExecutionTraceObserver, False),
]
NOT_TOLD = {"action_map", "start_trace"}  # inside, public because torch's are
ARGUMENT = re.compile(r"^(\w+): ((?:.+\n?(?: {4}.+\n?)*))", re.MULTILINE)


def described(docstring: str | None, parameters: dict[str, inspect.Parameter]) -> str:
    """A docstring as Markdown: blocks of code are fenced, lines about arguments are a list with their defaults."""
    text = re.sub(r"^::\n\n((?:    .*\n|\n)+)", lambda code: f"```python\n{inspect.cleandoc(code[1])}\n```\n\n",
                  inspect.cleandoc(docstring or ""), flags=re.MULTILINE)

    def line(match: re.Match) -> str:
        if match[1] not in parameters:
            return match[0]
        default = parameters[match[1]].default
        shown = "" if default is inspect.Parameter.empty else f" = {default!r}"
        return f"- **`{match[1]}{shown}`**: {' '.join(match[2].split())}\n"

    return plain(ARGUMENT.sub(line, text + "\n")).rstrip() + "\n"


def plain(docstring: str) -> str:
    """Markdown's way to mark code."""
    return re.sub(r"(?<!`)``(?!`)", "`", docstring)


def parameters_of(function) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except ValueError:  # compiled, without a signature
        return {}


def called(name: str, function) -> str:
    """How a method is called."""
    parameters = [parameter for name, parameter in parameters_of(function).items() if name != "self"]
    shown = [str(parameter.replace(annotation=inspect.Parameter.empty)) for parameter in parameters]
    return f"`{name}({', '.join(shown)})`"


def methods(owner: type) -> list[str]:
    """A line for each public method and property that a class defines itself."""
    lines = []
    for name, member in vars(owner).items():
        is_property = isinstance(member, property)
        if name.startswith("_") or name in NOT_TOLD or not (callable(member) or is_property) or not member.__doc__:
            continue
        shown = f"`{name}`" if is_property else called(name, member)
        lines.append(f"- **{shown}**: {' '.join(plain(member.__doc__).split())}\n")
    return lines


def section(heading: str, subject, has_methods: bool) -> str:
    text = f"\n## {heading}\n\n{described(subject.__doc__, parameters_of(subject))}"
    return text + "\n" + "".join(methods(subject)) if has_methods else text


def command_section() -> str:
    """Every command: what it does, by example, and its options."""
    context = click.Context(commands)
    parts = ["\n## The command line\n"]
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        arguments = " ".join(word for word in command.collect_usage_pieces(click.Context(command)))
        parts.append(f"\n### `mindtorch {name} {arguments}`\n\n{by_example(command.help or '')}")
        parts += [f"- **`{', '.join(option.opts)}`**: {option.help}\n" for option in command.params
                  if isinstance(option, click.Option)]
    return "".join(parts)


def by_example(text: str) -> str:
    """A command's help as Markdown: paragraphs that click leaves as they are (\\b) are examples."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "".join(f"```text\n{inspect.cleandoc(part.removeprefix(chr(8)))}\n```\n\n" if part.startswith("\b") else
                   f"{part}\n\n" for part in paragraphs)


def page() -> str:
    """The whole page."""
    return HEAD + "".join(section(*row) for row in OBJECTS) + command_section().rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
