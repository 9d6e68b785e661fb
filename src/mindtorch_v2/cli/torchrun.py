"""`mindtorch torchrun`: torchrun for programs whose torch is to be ours."""

from __future__ import annotations

import os
import sys

import click

from ..alias import path_for_children, refuse_real_torch
from .program import Program

_HELP = """Run a program written for PyTorch in several processes, with torchrun's options.

\b
    mindtorch torchrun --standalone --nproc-per-node 2 train.py --epochs 3

Everything else is torchrun's: RANK and its like in the environment, restarts, exit code.
"""


@click.command("torchrun", help=_HELP, short_help="Run a program in several processes.",
               context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("arguments", nargs=-1, type=Program(), required=True, metavar="[OPTIONS]... FILE [ARGUMENTS]...")
def command(arguments: tuple[str, ...]) -> None:
    """Replace this process by torchrun on a path where "torch" is ours."""
    refuse_real_torch()
    environment = {**os.environ, "PYTHONPATH": path_for_children(os.environ.get("PYTHONPATH"))}
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, "-m", "torch.distributed.run", *arguments], environment)
