"""The page itself: what stands in it, and the policy under which a browser shows it."""

from __future__ import annotations

import base64
import hashlib
from html import escape

from . import bundle

# Nothing is loaded from anywhere; only the script and the style whose hashes are named may run.
POLICY = ("default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; "
          "form-action 'none'")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#panel">Skip to content</a>
<header class="bar"><h1 class="brand" id="title">{title}</h1><nav id="tabs" aria-label="Views"></nav>
<button id="theme" class="ghost" type="button">Theme</button></header>
<main><div id="panel" tabindex="-1"><p class="loading" role="status">Reading the profile…</p></div></main>
<noscript><p class="loading">This page draws the profile with a script of its own; no part of it is loaded from
elsewhere. Please allow it.</p></noscript>
<script type="text/plain" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(title: str, data: str) -> str:
    """The whole page."""
    script, style = bundle.script(), bundle.style()
    policy = POLICY.format(script=_hash(script), style=_hash(style))
    return PAGE.format(policy=escape(policy), title=escape(title), style=style, script=script, data=data)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
