"""What programs chose about the conversion of modules (torch.__future__)."""

from __future__ import annotations


class Choices:
    overwrite = False  # new parameters instead of new data
    swap = False
