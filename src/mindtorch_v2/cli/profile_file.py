"""The FILE of commands that read a saved profile: loaded, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from ..profiler.results.profile_results import ProfileResults


def opened(path: str | Path) -> ProfileResults:
    """The profile in a file or folder."""
    from ..profiler import load
    try:
        return load(path)
    except (OSError, ValueError, RuntimeError) as error:
        raise click.ClickException(f"{path} cannot be read as a profile: {one_line(error)}") from None


def one_line(error: BaseException) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


class ProfileFile(click.ParamType):
    """A parameter that names a saved profile and arrives loaded."""

    name = "file"

    def convert(self, value, param, ctx) -> ProfileResults:
        return value if isinstance(value, ProfileResults) else opened(value)

    def shell_complete(self, ctx, param, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete names of files."""
        return [CompletionItem(incomplete, type="file")]


argument = click.argument("profile", type=ProfileFile(), metavar="FILE")
limit = click.option("-n", "--limit", type=click.IntRange(min=1), default=25, show_default=True, help="Rows to show.")


def output(required: bool = True, help: str = "The file to write."):  # noqa: A002  click's name
    """The option that says where a file goes."""
    return click.option("-o", "--output", required=required, type=click.Path(dir_okay=False, path_type=Path), help=help)
