"""The commands of `mindtorch`, one file each, loaded when it is called."""

from __future__ import annotations

import difflib
from importlib import import_module

import click

from ..version import mindtorch

COMMANDS = ("run", "torchrun", "check", "profile", "summary", "table", "tree", "modules", "stacks", "memory", "info",
            "sql", "diff", "export", "report", "view", "merge")


class _Commands(click.Group):
    """Loads a command's file when somebody asks for the command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return import_module(f".{name}", __name__).command if name in COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]):
        """The command that is asked for; another name is answered with the nearest one."""
        near = difflib.get_close_matches(args[0], COMMANDS, 1) if args[0] not in COMMANDS else []
        if near:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mindtorch, prog_name="mindtorch_v2")
def main() -> None:
    """mindtorch_v2: PyTorch programs, and a profiler that shows what they do.

    \b
        mindtorch run train.py --epochs 3                      # import torch is mindtorch_v2
        mindtorch profile --stack train.py --epochs 3          # the same, under the profiler
        mindtorch summary mindtorch-profile/profile.mtprof     # what costs time, and what to do
        mindtorch view mindtorch-profile/profile.mtprof        # the report in a browser

    A FILE is a saved profile, or a Chrome trace of PyTorch's profiler. Every command has examples: mindtorch diff -h.
    """
