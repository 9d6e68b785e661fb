"""`mindtorch view`: the report in a browser."""

from __future__ import annotations

import tempfile
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from ..profiler.results.profile_results import ProfileResults
from . import profile_file

HERE_ONLY = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        """Say nothing of requests."""


@click.command("view", short_help="Open the report of a profile in a browser.")
@profile_file.argument
@click.option("--serve", is_flag=True, help="Serve it on this machine alone instead of opening it.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port to serve on; by default a free one.")
def command(profile: ProfileResults, serve: bool, port: int) -> None:
    """Open the report of a profile, or serve it where a browser elsewhere can reach this machine by a tunnel.

    \b
        mindtorch view run.mtprof
        mindtorch view run.mtprof --serve --port 8080    # then, elsewhere: ssh -L 8080:localhost:8080 this-machine
    """
    folder = Path(tempfile.mkdtemp(prefix="mindtorch-"))
    page = folder / "index.html"
    profile.report(page)
    if not serve:
        click.echo(f"opening {page}", err=True)
        if not webbrowser.open(page.as_uri()):
            raise click.ClickException("no browser was found here: open the page in one, or use --serve")
        return
    try:
        server = ThreadingHTTPServer((HERE_ONLY, port), partial(_Quiet, directory=str(folder)))
    except OSError as error:
        raise click.ClickException(f"port {port}: {error.strerror}; without --port a free one is taken") from None
    with server:
        click.echo(f"http://{HERE_ONLY}:{server.server_port}/  (Ctrl-C ends it)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo(err=True)
