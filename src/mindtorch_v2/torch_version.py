"""torch.__version__: a string that compares as versions do, with strings and with tuples of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .version import __version__ as _text

# PEP 440: epoch, release, pre-, post- and development release, local version.
_PATTERN = re.compile(r"""
    \s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<pre>alpha|beta|preview|pre|a|b|c|rc)[-_.]?(?P<pre_number>\d*))?
    (?:-(?P<implicit_post>\d+)|(?P<post>[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>\d*)))?
    (?P<dev>[-_.]?dev[-_.]?(?P<dev_number>\d*))?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*""", re.VERBOSE | re.IGNORECASE)
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
_FIRST, _LAST = (-1,), (1,)  # sort before and after every part that is there, which begins with 0


class InvalidVersion(ValueError):  # noqa: N818  the name that users of versions know
    """Something that is no version."""


def version_key(text: str) -> tuple:
    """What versions are sorted by; a development release precedes a pre-release, which precedes the release."""
    parts = _PATTERN.fullmatch(text)
    if parts is None:
        raise InvalidVersion(f"Invalid version: {text!r}")
    release = [int(number) for number in parts["release"].split(".")]
    while release and release[-1] == 0:
        release.pop()
    post = parts["implicit_post"] or (parts["post"] and (parts["post_number"] or "0"))
    post_key = (0, int(post)) if post else _FIRST
    dev_key = (0, int(parts["dev_number"] or 0)) if parts["dev"] else _LAST
    if parts["pre"]:
        kind = parts["pre"].lower()
        pre_key = (0, _PRE.get(kind, kind), int(parts["pre_number"] or 0))
    else:
        pre_key = _FIRST if parts["dev"] and not post else _LAST
    return int(parts["epoch"] or 0), tuple(release), pre_key, post_key, dev_key, _local_key(parts["local"])


def _local_key(local: str | None) -> tuple:
    """None before any; words before numbers."""
    if local is None:
        return ()
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part.lower()) for part in re.split("[-_.]", local))


def _key_of(version) -> tuple:
    if isinstance(version, str):
        return version_key(str(version))
    if isinstance(version, Iterable):
        return version_key(".".join(str(part) for part in version))
    raise InvalidVersion(f"Invalid version: {version!r}")


def _comparison(name: str):
    """A comparison by version; with what is no version, the string's own."""
    by_text, by_key = getattr(str, name), getattr(tuple, name)

    def compare(self, other):
        try:
            return by_key(_key_of(self), _key_of(other))
        except InvalidVersion:
            return by_text(self, other)

    compare.__name__ = name
    return compare


class TorchVersion(str):
    """A version: ``"2.9" < torch.__version__``, ``torch.__version__ >= (2, 13)``."""

    __eq__, __ne__ = _comparison("__eq__"), _comparison("__ne__")
    __lt__, __le__ = _comparison("__lt__"), _comparison("__le__")
    __gt__, __ge__ = _comparison("__gt__"), _comparison("__ge__")
    __hash__ = str.__hash__


__version__ = TorchVersion(_text)
__all__ = ["TorchVersion"]
