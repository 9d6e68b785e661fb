"""`mindtorch run`: plain Python on a path where "torch" is ours, so a program sees what it always sees."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from ..alias import path_for_children, refuse_real_torch
from .program import Program

_HELP = """Run a program written for PyTorch: `import torch` is mindtorch_v2, in its child processes too.

\b
    mindtorch run train.py --epochs 3
    mindtorch run -m package.train --epochs 3
    mindtorch run -c "import torch; print(torch.ones(2))"

Everything else is plain Python's: arguments, output, tracebacks, exit code.
"""


@click.command("run", help=_HELP, short_help="Run a program written for PyTorch.",
               context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("program", nargs=-1, type=Program(), required=True,
                metavar="(FILE | -m MODULE | -c CODE) [ARGUMENTS]...")
def command(program: tuple[str, ...]) -> None:
    """Replace this process by one that runs the program."""
    if program[0].startswith("-") and program[0] not in ("-m", "-c", "-"):
        raise click.UsageError(f"No such option: {program[0]}. Options of the program stand behind its file.")
    if program[0] in ("-m", "-c") and len(program) == 1:
        raise click.UsageError(f"Argument expected for the {program[0]} option.")
    refuse_real_torch()
    arguments = [sys.executable, *subprocess._args_from_interpreter_flags(), *program]
    environment = {**os.environ, "PYTHONPATH": path_for_children(os.environ.get("PYTHONPATH"))}
    if os.name == "posix":
        sys.stdout.flush()
        os.execve(sys.executable, arguments, environment)
    raise SystemExit(subprocess.call(arguments, env=environment))  # elsewhere exec would not wait for the program
