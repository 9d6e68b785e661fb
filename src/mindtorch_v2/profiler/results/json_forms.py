"""The forms that JSON from a file must have before anything is done with it."""

from __future__ import annotations

from typing import NamedTuple

INT64 = range(-(1 << 63), 1 << 63)


class Maybe(NamedTuple):
    """The form, or null."""

    form: object


def has_form(value: object, form: object) -> bool:
    """Whether JSON has a form: a type; ``[form]`` for any number of items; ``(form, form)`` for just these;
    ``{str: form}`` for any keys, ``{"key": form}`` for just these."""
    if isinstance(form, Maybe):
        return value is None or has_form(value, form.form)
    if isinstance(form, list):
        return isinstance(value, list) and all(has_form(item, form[0]) for item in value)
    if isinstance(form, tuple):
        return isinstance(value, list) and len(value) == len(form) and all(map(has_form, value, form))
    if isinstance(form, dict):
        return isinstance(value, dict) and _has_entries(value, form)
    if form is float:
        return type(value) is float or has_form(value, int)
    return type(value) is form and (form is not int or value in INT64)


def _has_entries(value: dict, form: dict) -> bool:
    if str in form:
        return all(has_form(item, form[str]) for item in value.values())
    return value.keys() == form.keys() and all(has_form(value[key], form[key]) for key in form)
