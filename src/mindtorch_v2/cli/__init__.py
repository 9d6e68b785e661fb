"""The commands of `mindtorch`, one file each, loaded when it is called."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = ("run", "check", "profile", "summary", "table", "tree", "modules", "stacks", "memory", "info", "sql", "diff",
            "export", "report", "view", "merge")


class _Commands(click.Group):
    """Loads a command's file when somebody asks for the command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return import_module(f".{name}", __name__).command if name in COMMANDS else None


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """mindtorch_v2: PyTorch programs, and a profiler that shows what they do."""
